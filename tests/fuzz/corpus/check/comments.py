#!/usr/bin/env python
"""The module's."""
# One of
# two lines.
import os  # behind code
s = f"{os.name:#>{3 + 4}} # none"  # type: ignore
t = """
# none
"""


@os.register  # qd-cov: ignore[slow-tests]
class C:
    """A class's."""

    # qd-cov: ignore
    def m(self): return [  # why
        1,
        # ends the list
    ]
    # the end
