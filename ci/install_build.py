"""Installs build/release into the virtual environment, as `pip install .` would with a wheel, but without building anything again.

Usage: install_build.py CHECKOUT SITE_PACKAGES. Copies the package (coverage.py leaves out what lies in site-packages, so that reports show the user's
code alone), writes the metadata that pytest reads its plugins from, and links the program qd-cov."""

import compileall
import shutil
import sys
from pathlib import Path

METADATA = "Metadata-Version: 2.1\nName: qd-cov\nVersion: 0.1.0\n"
ENTRY_POINTS = "[pytest11]\nqd-cov = qd_pytest_plugin\n"


def main() -> None:
    checkout, site = Path(sys.argv[1]), Path(sys.argv[2])
    build = checkout / "build" / "release"
    for name in ("qdcov", "qd"):
        fresh, package = site / f"{name}.new", site / name
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(build / "python" / name, fresh, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.rmtree(package, ignore_errors=True)
        fresh.rename(package)
        compileall.compile_dir(package, quiet=2)
    for module in ("qd_coverage.py", "qd_pytest_plugin.py"):
        shutil.copy(build / "python" / module, site)
        compileall.compile_file(site / module, quiet=2)
    (site / "qd_cov.pth").unlink(missing_ok=True)
    info = site / "qd_cov-0.1.0.dist-info"
    info.mkdir(exist_ok=True)
    for name, text in {"METADATA": METADATA, "entry_points.txt": ENTRY_POINTS, "INSTALLER": "ci/setup\n", "RECORD": ""}.items():
        (info / name).write_text(text)
    program = Path(sys.executable).parent / "qd-cov"
    program.unlink(missing_ok=True)
    program.symlink_to(build / "cli" / "qd-cov")


if __name__ == "__main__":
    main()
