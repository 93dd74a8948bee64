"""The numbers of a kernel on arch=qd.python: operators, Python's functions and loops, the checks of debug mode."""
