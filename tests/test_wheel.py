"""What gets installed works away from the checkout: sdist → wheel → a clean environment → the commands.

Built without isolation by the running environment's own setuptools, and installed without dependencies; a
.pth file lends the clean environment those of the running one. Nothing is downloaded. The sdist holds no
links, so a wheel made from it also shows that the package needs none.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS: dict[str, str] = PYPROJECT["tool"]["setuptools"]["package-dir"]
VERSION: str = PYPROJECT["project"]["version"]

# Two creatures share 3 damage and each may take any of it: (0,3), (1,2), (2,1), (3,0). One blocked attacker
# without trample, no order among the blockers.
SCENARIO = """
kind = "combat"
rules = "foundations"

[[attackers]]
name = "Wurm"
power = 3
toughness = 3

[[blockers]]
name = "Guard"
power = 1
toughness = 9
blocks = ["Wurm"]

[[blockers]]
name = "Elf"
power = 1
toughness = 9
blocks = ["Wurm"]
"""


def run(*command: str | Path, cwd: Path, text: str | None = None) -> str:
    """What a command prints, run without the caller's Python settings; a failure shows its own words."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "COV_", "COVERAGE"))
    }
    given = {"input": text} if text is not None else {"stdin": subprocess.DEVNULL}
    done = subprocess.run(
        command, cwd=cwd, env=clean, capture_output=True, text=True, encoding="utf-8", **given
    )
    assert done.returncode == 0, f"{command} exited {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, built from a copy: no build folder is left in the checkout or leaks out of it."""
    folder = tmp_path_factory.mktemp("sdist")
    ignored = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info")
    shutil.copytree(ROOT, folder / "tree", symlinks=True, ignore=ignored)
    program = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"
    out = run(sys.executable, "-c", program, folder, cwd=folder / "tree")
    return folder / out.split()[-1]


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "-q")
    run(sys.executable, "-m", "pip", "wheel", *options, "-w", folder, sdist, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts folder of an environment that holds the wheel."""
    folder = tmp_path_factory.mktemp("clean")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    variables = {"base": str(folder / "venv"), "platbase": str(folder / "venv")}
    scripts = Path(sysconfig.get_path("scripts", "venv", variables))
    python = scripts / f"python{sysconfig.get_config_var('EXE') or ''}"
    options = ("--no-deps", "--no-index", "-q")
    run(sys.executable, "-m", "pip", "--python", python, "install", *options, wheel, cwd=folder)
    # A .pth adds a folder but does not read the .pth files in it: an editable install there stays unseen.
    site = Path(sysconfig.get_path("purelib", "venv", variables))
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return scripts


def module_files() -> set[str]:
    return {
        f"{name.replace('.', '/')}/{path.name}"
        for name, folder in FOLDERS.items()
        for path in (ROOT / folder).glob("*.py")
    }


def test_the_wheel_holds_each_module_once_with_types_license_and_notice(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert len(names) == len(set(names))
    code = {name for name in names if ".dist-info/" not in name}
    assert code == module_files() | {"lethal/py.typed"}
    assert {Path(name).name for name in names} >= {"LICENSE", "NOTICE", "entry_points.txt"}


def test_the_sdist_holds_no_links(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        assert [member.name for member in archive if member.issym() or member.islnk()] == []


def test_the_sdist_holds_the_package_and_no_half_of_the_tests(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive}
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "solver").rglob("*.py")} <= names
    assert [name for name in names if name.startswith("tests")] == []


def test_the_installed_package_is_the_wheels_own(installed: Path, tmp_path: Path) -> None:
    program = "import lethal.solver.problem as p, lethal.models as m; print(p.__file__); print(m.__file__)"
    for line in run(installed / "python", "-c", program, cwd=tmp_path).splitlines():
        assert Path(line).is_relative_to(installed.parent)


def test_the_installed_commands_tell_the_version_of_pyproject(installed: Path, tmp_path: Path) -> None:
    assert VERSION in run(installed / "python", "-m", "lethal", "--version", cwd=tmp_path).split()
    assert VERSION in run(installed / "lethal", "--version", cwd=tmp_path).split()


def test_the_installed_command_counts_a_scenario_from_standard_input(
    installed: Path, tmp_path: Path, engine: str
) -> None:
    out = run(installed / "lethal", "count", "-", "--engine", engine, "--json", cwd=tmp_path, text=SCENARIO)
    assert json.loads(out) == {"count": 4}
