# -*- coding: latin-1 -*-
if "é":
    x = 1  # pragma: no cover
