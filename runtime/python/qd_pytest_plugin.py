"""pytest plugin: kernel coverage in pytest-cov's own report."""

from __future__ import annotations
