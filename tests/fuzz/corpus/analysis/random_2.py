"""Module."""
a = 1; b = 2
if a: x: int
raise E
