"""The layers, the packaging lists and the house rules of the tree, each with a proof that it can fail."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"lethal": "src/lethal", "lethal.solver": "solver", "lethal.models": "models"}
LONGEST_MODULE = 450
CPSAT = re.compile(r"lethal\.solver\.cpsat(_\w+)?")
CPSAT_PART = re.compile(r"lethal\.solver\.cpsat_")

# Spelled in parts, so that this file passes its own check.
DOWNLOAD_HOST = re.compile(
    "|".join(
        (
            r"pypi\." + r"org",
            r"python" + r"hosted\.",
            r"npm" + r"js\.(?:org|com)",
            r"(?:deb|archive|security)\.(?:debian|ubuntu)\." + r"(?:org|com)",
            r"(?:extra-)?index" + r"-url",
            r"find" + r"-links",
            r"trusted" + r"-host",
            r"https?://[^\s)]*(?:/simple\b|\.whl|\.tgz|\.tar\.gz|\.deb)",
        )
    ),
    re.IGNORECASE,
)
MACHINE_PATH = re.compile(r"(?<![\w.~:/}-])/(?:home|root|work|tmp|opt|mnt|Users)" + r"/|\b[A-Z]:\\Users\b")


# Checkers: each takes plain values, so that a test can hand it a tree that breaks the rule.


def imports(source: str, module: str, *, package: bool = False) -> Iterator[str]:
    """Every module that a source may import, at any depth, absolute; `from a import b` gives `a` and `a.b`.

    A literal name given to import_module or __import__ counts, and so does an import for type checkers only.
    """
    base = module.split(".") if package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=name, names=names, level=level):
                parts = base[: len(base) - level + 1] if level else []
                origin = ".".join([*parts, *(name.split(".") if name else [])])
                yield origin
                yield from (f"{origin}.{alias.name}" for alias in names)
            case ast.Call(func=func, args=[ast.Constant(value=str(name)), *_]):
                called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
                if called in {"import_module", "__import__"}:
                    yield name


def within(name: str, *roots: str) -> bool:
    """Whether a dotted name is one of the roots or lies below one."""
    return any(name == root or name.startswith(f"{root}.") for root in roots)


def layer_faults(module: str, imported: Iterable[str]) -> list[str]:
    """What a module of the package imports against the arrows of the design."""
    names = set(imported)
    faults = {name for name in names if within(name, "solver", "models")}
    # The CP-SAT engine is cpsat.py and its parts cpsat_*.py: only they know OR-Tools or import the parts.
    if not CPSAT.fullmatch(module):
        faults |= {name for name in names if within(name, "ortools") or CPSAT_PART.match(name)}
    ours = {name for name in names if within(name, "lethal")}
    if module == "lethal.solver.problem":
        faults |= ours
    elif within(module, "lethal.solver"):
        faults |= {name for name in ours if not within(name, "lethal.solver")}
    elif within(module, "lethal.models"):
        # `from lethal.solver import problem` also yields the bare package, which alone gives nothing away.
        stems = {"lethal.solver"} if any(within(name, "lethal.solver.problem") for name in ours) else set()
        allowed = ("lethal.models", "lethal.solver.problem")
        faults |= {name for name in ours if not within(name, *allowed) and name not in stems}
    return [f"{module} imports {name}" for name in sorted(faults)]


def package_folders(root: Path) -> dict[str, str]:
    """Every package folder on disk with its dotted name, the links left out."""
    found = {}
    for name, folder in PACKAGES.items():
        for init in (root / folder).rglob("__init__.py"):
            inner = init.parent.relative_to(root / folder).parts
            if not any(
                (root / folder).joinpath(*inner[:depth]).is_symlink() for depth in range(1, len(inner) + 1)
            ):
                found[".".join((name, *inner))] = "/".join((folder, *inner))
    return found


def orphans(root: Path) -> list[str]:
    """Folders under a package that hold modules but are no package: they would be missing from the wheel."""
    known = set(package_folders(root).values())
    folders = {path.parent for folder in PACKAGES.values() for path in (root / folder).rglob("*.py")}
    return sorted(
        found
        for found in (path.relative_to(root).as_posix() for path in folders)
        if found not in known and not found.startswith(("src/lethal/solver", "src/lethal/models"))
    )


def packaging_faults(setuptools: Mapping[str, object], folders: Mapping[str, str]) -> list[str]:
    """Where pyproject's two lists differ from the package folders on disk."""
    listed, mapped = setuptools["packages"], setuptools["package-dir"]
    assert isinstance(listed, list)
    assert isinstance(mapped, dict)
    faults = [f"packages lacks {name}" for name in folders if name not in listed]
    faults += [f"packages lists {name}, which is no folder" for name in listed if name not in folders]
    faults += [
        f"package-dir says {name} = {mapped.get(name)}"
        for name in folders
        if mapped.get(name) != folders[name]
    ]
    faults += [f"package-dir maps {name}, which is no folder" for name in mapped if name not in folders]
    return faults


def text_faults(text: str) -> list[str]:
    """Lines that name a download host, a package index or a path of one machine."""
    return [
        f"line {number}: {line.strip()}"
        for number, line in enumerate(text.splitlines(), 1)
        if DOWNLOAD_HOST.search(line) or MACHINE_PATH.search(line)
    ]


def too_long(path: Path, most: int = LONGEST_MODULE) -> bool:
    """Whether a module has more lines than a reader wants to hold."""
    return len(path.read_text(encoding="utf-8").splitlines()) > most


# The tree as it is.


def modules() -> dict[str, Path]:
    """The package's modules by dotted name."""
    found = {}
    for package, folder in package_folders(ROOT).items():
        for path in (ROOT / folder).glob("*.py"):
            found[package if path.stem == "__init__" else f"{package}.{path.stem}"] = path
    return found


def read_imports(name: str, path: Path) -> set[str]:
    return set(imports(path.read_text(encoding="utf-8"), name, package=path.stem == "__init__"))


def repository_files() -> list[Path]:
    """Every file git tracks or would offer to track; skips where the tree is no checkout."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    paths = [ROOT / name for name in listing.split("\0") if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def setuptools_table() -> dict[str, object]:
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]
    return table


def test_models_solver_and_front_door_import_only_along_the_arrows() -> None:
    found = modules()
    assert {"lethal", "lethal.solver.problem", "lethal.models"} <= set(found)
    assert [
        fault for name, path in found.items() for fault in layer_faults(name, read_imports(name, path))
    ] == []


def test_nobody_outside_the_package_imports_the_folders_at_the_root() -> None:
    scripts = [
        path for folder in ("tests", "benchmarks", "examples") for path in (ROOT / folder).rglob("*.py")
    ]
    assert scripts
    assert [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in scripts
        for name in read_imports(path.stem, path)
        if within(name, "solver", "models")
    ] == []


def test_pyproject_lists_exactly_the_package_folders() -> None:
    assert packaging_faults(setuptools_table(), package_folders(ROOT)) == []
    assert orphans(ROOT) == []


@pytest.mark.parametrize("name", ["solver", "models"])
def test_the_links_show_the_folders_at_the_root_inside_the_package(name: str) -> None:
    link = ROOT / "src" / "lethal" / name
    assert link.is_symlink()
    assert link.readlink() == Path("..", "..", name)
    assert link.resolve() == ROOT / name


def test_modules_fit_a_readers_head() -> None:
    files = [path for path in repository_files() if path.suffix == ".py"]
    assert files
    assert [str(path.relative_to(ROOT)) for path in files if too_long(path)] == []


def test_no_file_names_a_download_host_or_a_path_of_a_machine() -> None:
    faults = []
    for path in repository_files():
        data = path.read_bytes()
        if b"\0" not in data:
            faults += [f"{path.relative_to(ROOT)} {fault}" for fault in text_faults(data.decode("utf-8"))]
    assert faults == []


def test_importing_lethal_loads_nothing_heavy() -> None:
    program = "import sys, lethal; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT / "src", capture_output=True, text=True, check=True
    )
    loaded = set(run.stdout.split())
    assert "lethal" in loaded
    assert loaded & {"ortools", "msgspec", "rich", "numpy", "pandas"} == set()


# The checkers, on trees that break the rules.


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import ortools.sat", "ortools.sat"),
        ("def late():\n    from lethal.models import combat", "lethal.models.combat"),
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import lethal.solver.engine",
            "lethal.solver.engine",
        ),
        ("from importlib import import_module\nimport_module('lethal.solver.cpsat')", "lethal.solver.cpsat"),
        ("import importlib\nimportlib.import_module('solver.problem')", "solver.problem"),
        ("from . import order", "lethal.solver.order"),
        ("from ..models.combat import Combat", "lethal.models.combat"),
    ],
)
def test_imports_are_found_wherever_they_hide(source: str, expected: str) -> None:
    assert expected in set(imports(source, "lethal.solver.evaluate"))


def test_a_relative_import_in_a_package_starts_from_the_package_itself() -> None:
    assert "lethal.solver.order" in set(imports("from . import order", "lethal.solver", package=True))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("lethal.models.combat", "import lethal.solver.engine"),
        ("lethal.models.combat", "from lethal.solver import assignments"),
        ("lethal.models.combat", "from lethal.solver import problem, engine"),
        ("lethal.models.combat", "import lethal.solver"),
        ("lethal.models.combat", "from lethal.scenario import Scenario"),
        ("lethal.models.combat", "import lethal"),
        ("lethal.solver.order", "from lethal.models import combat"),
        ("lethal.solver.order", "import lethal.scenario"),
        ("lethal.solver.order", "from lethal import load"),
        ("lethal.solver.order", "from ortools.sat.python import cp_model"),
        ("lethal.solver.problem", "from lethal.solver import order"),
        ("lethal.solver.order", "from lethal.solver.cpsat_model import Built"),
        ("lethal.solver.cpsatellite", "import ortools"),
        ("lethal.__main__", "import ortools"),
        ("lethal.__main__", "from lethal.solver.cpsat_search import solve"),
        ("lethal.__main__", "from solver import problem"),
        ("lethal.solver.cpsat", "import models.combat"),
    ],
)
def test_an_import_against_the_arrows_is_reported(module: str, source: str) -> None:
    assert layer_faults(module, imports(source, module))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "lethal.models.combat",
            "from lethal.solver.problem import Problem\nfrom lethal.models.vintages import V",
        ),
        ("lethal.models.combat", "from lethal.solver import problem"),
        ("lethal.solver.cpsat", "from ortools.sat.python import cp_model"),
        ("lethal.solver.cpsat_model", "from ortools.sat.python import cp_model"),
        ("lethal.solver.cpsat", "from lethal.solver.cpsat_model import Built"),
        ("lethal.solver.order", "from lethal.solver.problem import Problem"),
        ("lethal.solver.problem", "import bisect"),
        ("lethal.__main__", "from lethal import models, solver"),
    ],
)
def test_an_import_along_the_arrows_is_not(module: str, source: str) -> None:
    assert layer_faults(module, imports(source, module)) == []


def make_tree(root: Path, *folders: str) -> None:
    for folder in folders:
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").write_text("")


def test_a_package_missing_from_pyproject_or_from_disk_is_reported(tmp_path: Path) -> None:
    make_tree(tmp_path, "src/lethal", "solver", "solver/diagram", "models")
    folders = package_folders(tmp_path)
    assert folders == {**PACKAGES, "lethal.solver.diagram": "solver/diagram"}
    complete = {"packages": list(folders), "package-dir": folders}
    assert packaging_faults(complete, folders) == []
    assert packaging_faults({**complete, "packages": list(PACKAGES)}, folders)
    assert packaging_faults({**complete, "package-dir": PACKAGES}, folders)
    assert packaging_faults({**complete, "packages": [*folders, "lethal.web"]}, folders)
    assert packaging_faults({**complete, "package-dir": {**folders, "lethal.web": "web"}}, folders)
    assert packaging_faults({**complete, "package-dir": {**folders, "lethal.models": "solver"}}, folders)


def test_the_links_are_no_packages_of_their_own(tmp_path: Path) -> None:
    make_tree(tmp_path, "src/lethal", "solver", "solver/diagram", "models")
    (tmp_path / "src/lethal/solver").symlink_to("../../solver")
    assert "src/lethal/solver" not in package_folders(tmp_path).values()
    assert "src/lethal/solver/diagram" not in package_folders(tmp_path).values()
    assert orphans(tmp_path) == []


def test_a_folder_of_modules_without_init_is_reported(tmp_path: Path) -> None:
    make_tree(tmp_path, "src/lethal", "solver", "models")
    (tmp_path / "solver/diagram").mkdir()
    (tmp_path / "solver/diagram/build.py").write_text("")
    assert orphans(tmp_path) == ["solver/diagram"]


@pytest.mark.parametrize(
    "line",
    [
        "pip install --index" + "-url x",
        "https://files.python" + "hosted.org/a",
        "see https://pypi." + "org/project/lethal",
        "https://example.com/sim" + "ple/lethal",
        "https://example.com/lethal-1-py3-none-any" + ".whl",
        "cd /home" + "/someone/lethal",
        "ROOT = '/work" + "/main'",
        "open('/tmp" + "/x.json')",
        "C:" + "\\Users\\someone",
    ],
)
def test_a_host_or_a_machine_path_is_reported(line: str) -> None:
    assert text_faults(f"fine\n{line}\n") == [f"line 2: {line}"]


@pytest.mark.parametrize(
    "line",
    [
        "#!/usr/bin/env bash",
        "</dev/null",
        "http://www.apache.org/licenses/LICENSE-2.0",
        "tests/cases/work/x.toml",
        "https://example.com/home/",
        "src/lethal/solver -> ../../solver",
    ],
)
def test_ordinary_text_is_not_taken_for_a_host_or_a_machine_path(line: str) -> None:
    assert text_faults(line) == []


def test_a_long_module_is_reported(tmp_path: Path) -> None:
    module = tmp_path / "long.py"
    module.write_text("x = 1\n" * LONGEST_MODULE)
    assert not too_long(module)
    module.write_text("x = 1\n" * (LONGEST_MODULE + 1))
    assert too_long(module)
