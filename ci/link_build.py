"""Makes build/release visible in the virtual environment, as `pip install` would, without copying anything.

Usage: link_build.py CHECKOUT SITE_PACKAGES. Writes a .pth file for the package, the metadata that pytest reads its plugins from,
and a link to the program qd-cov."""

import sys
from pathlib import Path

METADATA = "Metadata-Version: 2.1\nName: qd-cov\nVersion: 0.1.0\n"
ENTRY_POINTS = "[pytest11]\nqd-cov = qd_pytest_plugin\n"


def link(target: Path, source: Path) -> None:
    if target.is_symlink() or target.exists():
        target.unlink()
    target.symlink_to(source)


def main() -> None:
    checkout, site = Path(sys.argv[1]), Path(sys.argv[2])
    build = checkout / "build" / "release"
    (site / "qd_cov.pth").write_text(f"{build / 'python'}\n")
    info = site / "qd_cov-0.1.0.dist-info"
    info.mkdir(exist_ok=True)
    for name, text in {"METADATA": METADATA, "entry_points.txt": ENTRY_POINTS, "INSTALLER": "ci/setup\n", "RECORD": ""}.items():
        (info / name).write_text(text)
    link(Path(sys.executable).parent / "qd-cov", build / "cli" / "qd-cov")


if __name__ == "__main__":
    main()
