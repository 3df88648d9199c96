"""Runs an OCI archive with crun, as a container engine does, over a root that cannot be written to."""

import json
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any


def unpack(archive: Path, folder: Path) -> dict[str, Any]:
    """Unpack the layers of an image into `folder/rootfs` and return its configuration."""
    layout, root = folder / "layout", folder / "rootfs"
    with tarfile.open(archive) as files:
        files.extractall(layout)  # noqa: S202 - our own
    root.mkdir()
    manifest = blob(layout, json.loads((layout / "index.json").read_text())["manifests"][0])
    for layer in manifest["layers"]:
        command = ["tar", "--extract", "--gzip", "--numeric-owner", "--preserve-permissions"]
        subprocess.run([*command, "--file", path(layout, layer), "--directory", root], check=True)
    found: dict[str, Any] = blob(layout, manifest["config"])
    return found


def path(layout: Path, descriptor: dict[str, Any]) -> Path:
    return layout / "blobs" / "sha256" / str(descriptor["digest"]).removeprefix("sha256:")


def blob(layout: Path, descriptor: dict[str, Any]) -> Any:
    return json.loads(path(layout, descriptor).read_text())


def bundle(
    image: dict[str, Any], folder: Path, variables: dict[str, str], mounts: Mapping[str, Path] = MappingProxyType({})
) -> Path:
    """Write the configuration of a container (OCI runtime specification) and return the folder of its data.

    `mounts` are folders by their place in the container, the data among them if they are not new.
    """
    settings = image["config"]
    user = int(settings["User"].split(":")[0])
    (volume,) = settings["Volumes"]
    data = mounts.get(volume) or new_data(folder / "data", user)
    document = {
        "ociVersion": "1.0.2",
        "root": {"path": "rootfs", "readonly": True},
        "process": {
            "terminal": False,
            "user": {"uid": user, "gid": user},
            "args": [*settings["Entrypoint"], *settings["Cmd"]],
            "env": [*settings["Env"], *(f"{name}={value}" for name, value in variables.items())],
            "cwd": settings["WorkingDir"],
            "noNewPrivileges": True,
            "capabilities": {},
        },
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755"]},
            {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev"]},  # noqa: S108
            *(
                {"destination": place, "type": "bind", "source": str(source), "options": ["bind", "rw"]}
                for place, source in {**mounts, volume: data}.items()
            ),
        ],
        "linux": {"namespaces": [{"type": each} for each in ("pid", "mount", "ipc", "uts")]},
    }
    (folder / "config.json").write_text(json.dumps(document))
    return data


def new_data(folder: Path, user: int) -> Path:
    """Make a folder that belongs to a user, and return it."""
    folder.mkdir()
    shutil.chown(folder, user, user)
    return folder


@contextmanager
def running(folder: Path, name: str, output: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the container of a bundle for the time of a `with`; `crun exec` reaches it by its name."""
    crun = ["crun", "--cgroup-manager=disabled"]
    # crun takes cgroups of version 2 or 1, and not both next to each other, as older machines have them.
    only_new = ["unshare", "--mount", "sh", "-c", 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"', "sh"]
    with output.open("wb") as stream:
        process = subprocess.Popen([*only_new, *crun, "run", "--bundle", folder, name], stdout=stream, stderr=stream)
    try:
        yield process
    finally:
        subprocess.run([*crun, "kill", name, "TERM"], capture_output=True, check=False)
        try:
            process.wait(60)
        finally:
            subprocess.run([*crun, "delete", "--force", name], capture_output=True, check=False)
