"""Funcs of the language that are written in it, and the marks of the package's own funcs."""
