"""Vectors, matrices and structs, their types, and the functions of the kernel language."""
