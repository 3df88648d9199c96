"""Reads a Containerfile, and goes through its build on this machine: no engine is needed to see that its steps work."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from fnmatch import fnmatch
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "container" / "Containerfile"
IGNORED = ROOT / ".containerignore"


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Containerfile, without its continuations and comments."""

    name: str
    text: str


@dataclass(frozen=True)
class Stage:
    """What follows one FROM."""

    image: str
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def of(self, name: str) -> list[str]:
        return [each.text for each in self.instructions if each.name == name]


def read_stages(file: Path = FILE) -> list[Stage]:
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    stages: list[Stage] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, text = line.strip().partition(" ")
        if name == "FROM":
            image, _, alias = text.partition(" AS ")
            stages.append(Stage(image, alias))
        elif name:
            stages[-1].instructions.append(Instruction(name, text.strip()))
    return stages


def copied(stage: Stage) -> list[tuple[list[str], str]]:
    """Return what the stage copies from the source, and where to; not what it copies from other stages."""
    return [(words[:-1], words[-1]) for words in map(shlex.split, stage.of("COPY")) if not words[0].startswith("--")]


def let_in(path: str, ignored: Path = IGNORED) -> bool:
    """Whether the ignore file lets a path of the source into the build: the last line that matches decides."""
    allowed = True
    for line in ignored.read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!").strip()
        if pattern and not pattern.startswith("#"):
            parts = path.split("/")
            whole_or_above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
            names = parts if pattern.startswith("**/") else whole_or_above
            if any(fnmatch(each, pattern.removeprefix("**/")) for each in names):
                allowed = line.startswith("!")
    return allowed


def build(stage: Stage, root: Path) -> None:
    """Go through the stage with `root` in the place of the image's root folder."""
    here = root
    moved = {"/opt/": f"{root}/opt/", "/build": f"{root}/build"}
    for each in stage.instructions:
        text = each.text
        for theirs, ours in moved.items():
            text = text.replace(theirs, ours)
        if each.name == "WORKDIR":
            here = Path(text)
            here.mkdir(parents=True)
        elif each.name == "COPY":
            *sources, target = shlex.split(text)
            for source in sources:
                _copy(ROOT / source, here / target / (Path(source).name if target == "./" else ""))
        elif each.name == "RUN":
            done = subprocess.run(
                ["sh", "-euc", text], cwd=here, env=_bare(), capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        else:
            raise AssertionError(f"{each.name} is not gone through")


def install(stage: Stage, root: Path) -> None:
    """Leave what `build` leaves, without its downloads: each locked package is that of this environment."""
    home, source = root / "opt/credence", root / "build"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    for name in re.findall(r"^([\w.-]+)==", (ROOT / "requirements/run.txt").read_text(encoding="utf-8"), re.MULTILINE):
        locked = distribution(name)
        for file in locked.files or ():
            if ".." not in file.parts:  # not its scripts
                (packages / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(str(locked.locate_file(file)), packages / file)
    for sources, _ in copied(stage):
        for each in sources:
            _copy(ROOT / each, source / each)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "--python", str(home / "bin/python"))
    command = ("install", "--no-deps", "--no-build-isolation", "--no-index", str(source))
    subprocess.run([*pip, *command], env=_bare(), check=True)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def _bare() -> dict[str, str]:
    """This environment without what would lead Python to the packages of the tests."""
    return {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
