"""Materials of particles."""

from __future__ import annotations

from dataclasses import dataclass

WATER = 0
JELLY = 1
SNOW = 2

NAMES = {"water": WATER, "jelly": JELLY, "snow": SNOW}


@dataclass(frozen=True)
class Elasticity:
    """Young's modulus and Poisson's ratio of unhardened material."""

    young: float = 200.0
    poisson: float = 0.2

    def __post_init__(self) -> None:
        if self.young <= 0:
            raise ValueError(f"Young's modulus must be positive, not {self.young}")
        if not 0 <= self.poisson < 0.5:
            raise ValueError(f"Poisson's ratio must be in [0, 0.5), not {self.poisson}")

    @property
    def mu(self) -> float:
        """The second Lamé parameter, which resists shear."""
        return self.young / (2 * (1 + self.poisson))

    @property
    def lam(self) -> float:
        """The first Lamé parameter, which resists compression."""
        return self.young * self.poisson / ((1 + self.poisson) * (1 - 2 * self.poisson))


def kind_of(name: str) -> int:
    """The number that kernels know a material by."""
    try:
        return NAMES[name.strip().lower()]
    except KeyError:
        known = ", ".join(sorted(NAMES))
        raise ValueError(f"unknown material {name!r}; known are {known}") from None
