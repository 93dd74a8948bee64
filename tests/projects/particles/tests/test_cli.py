import numpy as np

from particles.cli import main


def test_run(capsys, tmp_path):
    assert main(["--cells", "16", "--steps", "4", "--every", "2", "--save", str(tmp_path / "end.npz")]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("t = ")]
    assert len(lines) == 2
    assert all("water" in line for line in lines)
    with np.load(tmp_path / "end.npz") as saved:
        assert saved["x"].shape == saved["v"].shape
        assert np.isfinite(saved["x"]).all()


def test_bad_grid(capsys):
    assert main(["--cells", "4"]) == 2
    assert capsys.readouterr().err == "particles: a grid of 4 cells has no room between its walls\n"
