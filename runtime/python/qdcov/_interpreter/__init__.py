"""arch=qd.python: kernels and funcs, rewritten and run as plain Python."""
