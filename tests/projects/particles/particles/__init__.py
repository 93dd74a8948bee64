"""Water, jelly and snow in a box: a two-dimensional material point simulation."""
