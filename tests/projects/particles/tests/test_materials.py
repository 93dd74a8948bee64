import pytest

from particles.materials import JELLY, SNOW, WATER, Elasticity, kind_of


def test_kinds_have_numbers():
    assert [kind_of(name) for name in ("water", "Jelly", " snow ")] == [WATER, JELLY, SNOW]


def test_unknown_material():
    with pytest.raises(ValueError, match="unknown material 'lava'; known are jelly, snow, water"):
        kind_of("lava")


def test_lame_parameters():
    elasticity = Elasticity(young=1000.0, poisson=0.25)
    assert elasticity.mu == pytest.approx(400.0)
    assert elasticity.lam == pytest.approx(400.0)
    # Young's modulus follows from both.
    mu, lam = elasticity.mu, elasticity.lam
    assert mu * (3 * lam + 2 * mu) / (lam + mu) == pytest.approx(1000.0)


def test_poisson_ratio_is_checked():
    with pytest.raises(ValueError, match="Poisson's ratio"):
        Elasticity(poisson=0.5)
