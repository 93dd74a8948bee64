"""Installs build/release into the virtual environment, as `pip install . ./runtime` would, but without building anything again.

Usage: install_build.py CHECKOUT SITE_PACKAGES. Copies the package (coverage.py leaves out what lies in site-packages, so that reports show the user's
code alone), writes the metadata that pytest reads its plugins from, and links the program qd-cov."""

import compileall
import re
import shutil
import sys
from pathlib import Path

METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
ENTRY_POINTS = "[pytest11]\nqd-cov = qd_pytest_plugin\n"


def main() -> None:
    checkout, site = Path(sys.argv[1]), Path(sys.argv[2])
    build = checkout / "build" / "release"
    for name in ("qdcov", "qd", "qd_numba"):
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
    version = re.findall(r'__version__ = "(.+)"', (site / "qdcov/_version.py").read_text())[0]
    for name in ("qd-cov", "qdcov"):
        module = name.replace("-", "_")
        for former in site.glob(f"{module}-*.dist-info"):
            shutil.rmtree(former)
        info = site / f"{module}-{version}.dist-info"
        info.mkdir()
        texts = {"METADATA": METADATA.format(name=name, version=version), "INSTALLER": "ci/setup\n", "RECORD": ""}
        if name == "qd-cov":
            texts["entry_points.txt"] = ENTRY_POINTS
        for file, text in texts.items():
            (info / file).write_text(text)
    program = Path(sys.executable).parent / "qd-cov"
    program.unlink(missing_ok=True)
    program.symlink_to(build / "cli" / "qd-cov")


if __name__ == "__main__":
    main()
