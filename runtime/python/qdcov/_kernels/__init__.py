"""Kernels and funcs: decorators, sources, parameters, streams, graphs, and the native program that compiles them."""
