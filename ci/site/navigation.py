"""The pages of the site: each section's titles, the pages of the tree behind them, and their places in the site."""

from __future__ import annotations

from typing import NamedTuple


class Page(NamedTuple):
    """A page: its title in the navigation, its place in the site, and its source in the tree; a page that is made has none."""

    title: str
    place: str
    source: str | None


def _pages(text: str) -> list[Page]:
    """Rows "title | place | source"."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return [Page(title, place, source or None) for title, place, source in rows]


SECTIONS: dict[str, list[Page]] = {
    "": _pages("""
        qd-cov | index.md | README.md
    """),
    "Start": _pages("""
        CI in five minutes | start/ci.md | ci/FIVE_MINUTES.md
        From coverage.py and diff-cover | start/coverage-py.md | report/FROM_COVERAGE_PY.md
        From Taichi and Quadrants | start/taichi.md | runtime/python/docs/taichi.md
        Tutorial of the kernel language | start/tutorial.md | runtime/python/docs/tutorial.md
    """),
    "Coverage": _pages("""
        Measuring | coverage/measuring.md | instrument/README.md
        Several hosts | coverage/hosts.md | instrument/CLUSTER.md
        Reports | coverage/reports.md | report/README.md
        Other languages | coverage/imports.md | report/inputs/README.md
        Pull requests and CI | coverage/ci.md | ci/README.md
        GitHub Actions | coverage/github.md | ci/github/README.md
        Configuration | coverage/configuration.md | report/config/README.md
        The program | coverage/program.md | cli/README.md
        Coverage for Numba | coverage/numba.md | instrument/numba/README.md
    """),
    "Kernels": _pages("""
        The kernel language | kernels/index.md | runtime/python/README.md
        Reference | kernels/reference.md | runtime/python/docs/reference.md
        GPUs and streams | kernels/gpu.md | runtime/python/docs/gpu.md
        Automatic differentiation | kernels/autodiff.md | runtime/python/docs/autodiff.md
        Options | kernels/options.md | runtime/python/docs/options.md
        The runtime | kernels/runtime.md | runtime/README.md
    """),
    "Look up": _pages("""
        Index of errors | look-up/errors.md |
        Glossary | look-up/glossary.md | GLOSSARY.md
        Changes | look-up/changes.md | CHANGELOG.md
    """),
    "Development": _pages("""
        Architecture | development/architecture.md | ARCHITECTURE.md
        Contributing | development/contributing.md | CONTRIBUTING.md
        Syntax | development/syntax.md | runtime/syntax/README.md
        The front end | development/frontend.md | runtime/frontend/README.md
        The IR of kernels | development/ir.md | runtime/ir/README.md
        Mathematical functions | development/mathematics.md | runtime/mathematics/README.md
        Derivatives of kernels | development/autodiff.md | runtime/autodiff/README.md
        Code generation | development/codegen.md | runtime/codegen/README.md
        Devices | development/device.md | runtime/device/README.md
        Launches | development/launch.md | runtime/launch/README.md
        The options of qd.init | development/options.md | runtime/options/README.md
        The package qd | development/package.md | runtime/python/qdcov/README.md
        Kernel coverage | development/instrument.md | instrument/DESIGN.md
        Data files | development/data.md | report/data/README.md
        Tables of a data file | development/tables.md | report/data/TABLES.md
        Journals in lines | development/journal_lines.md | report/data/JOURNAL_LINES.md
        Diff coverage | development/diff.md | report/diff/README.md
        Formats | development/formats.md | report/formats/README.md
        Checks | development/check.md | report/check/README.md
        Services | development/services.md | report/services/README.md
        The program | development/program.md | cli/DESIGN.md
        Tests | development/tests.md | tests/README.md
        Tests of the program | development/tests-cli.md | tests/cli/README.md
        Differential tests | development/tests-differential.md | tests/differential/README.md
        Fuzz targets | development/fuzz.md | tests/fuzz/README.md
        Simulated drivers | development/simulated-driver.md | tests/simulated_driver/README.md
        Stress tests | development/stress.md | tests/stress/README.md
        Figures | development/figures.md | tests/bench/FIGURES.md
        Speed on GPUs | development/figures-gpu.md | tests/bench/gpu/README.md
    """),
}
API = "API"  # the section that api.py makes, before "Look up"


def of_the_tree() -> dict[str, str]:
    """Each page of the tree that the site has, with its place in the site."""
    return {page.source: page.place for pages in SECTIONS.values() for page in pages if page.source}
