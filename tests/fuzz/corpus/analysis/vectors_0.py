# nothing
"""Module."""
"""Module
of several
lines."""
a = 4
def f(): """doc"""
class C: """doc"""
a = 3
def f():
    """doc"""
class C:
    """doc"""
def g():
    "doc" "more"
    "not doc"
def f(a,
      b): """doc"""
x = 3
def f():
    f"no {1}"
    return 3
def f():
    b"no"
    return 3
