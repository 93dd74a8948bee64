"""The reporter builds without the runtime: nothing of its build links LLVM or a library that only the runtime's build has."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_build_without_runtime(tmp_path: Path) -> None:
    """A library that is no target of this build would be linked by its name, as -lqd_..."""
    done = subprocess.run(["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DQD_RUNTIME=OFF"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    build = (tmp_path / "build.ninja").read_text()
    assert "qd-cov" in build
    assert sorted(set(re.findall(r"-lqd_\w+|-lLLVM\S*|\S*libLLVM\S*", build))) == []
