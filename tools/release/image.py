"""The container image as an OCI archive: the layout of the OCI image specification 1.1 in one tar file.

Three layers, by how often they change: the root of Debian packages, the Python packages, the program.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.release import debian_packages
from tools.release.archives import Entry, compressed, owned, tar
from tools.release.program import HOME

USER = 10001
"""The number is fixed so that volumes keep their owner."""
DATA = "var/lib/credence"
_VENDOR = "application/vnd.oci.image"


@dataclass(frozen=True)
class Labels:
    """What the image says of itself; `created` is a time of RFC 3339."""

    version: str
    description: str
    commit: str
    created: str


def debian_root(packages: Sequence[Path]) -> list[Entry]:
    """Return the root of the image without the program: the packages, and what their installation would write."""
    found = {each.path: each for file in packages for each in debian_packages.entries(file)}
    authorities = sorted(
        path for path in found if path.startswith("usr/share/ca-certificates/mozilla/") and path.endswith(".crt")
    )
    bundle = b"".join(found[path].read() for path in authorities)
    made = [
        *(Entry(name, f"usr/{name}", 0o777) for name in ("bin", "lib", "lib64", "sbin")),
        *(Entry(name, None, 0o755) for name in ("dev", "proc", "sys", "run")),
        Entry("tmp", None, 0o1777),
        Entry("etc/ssl/certs/ca-certificates.crt", bundle),
        Entry("etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n"),
        Entry(
            "etc/passwd",
            f"root:x:0:0:root:/:/usr/sbin/nologin\ncredence:x:{USER}:{USER}::/{DATA}:/usr/sbin/nologin\n".encode(),
        ),
        Entry("etc/group", f"root:x:0:\ncredence:x:{USER}:\n".encode()),
        *owned([Entry(DATA, None, 0o700)], USER),
    ]
    return list((found | {each.path: each for each in made}).values())


def archive(layers: Sequence[Sequence[Entry]], labels: Labels, seconds: int) -> bytes:
    """Return the archive of an image with these layers."""
    blobs: dict[str, bytes] = {}
    plain = [tar(layer, seconds) for layer in layers]
    packed = [_kept(blobs, compressed(each), f"{_VENDOR}.layer.v1.tar+gzip") for each in plain]
    config = _kept(blobs, _json(_config(labels, [_digest(each) for each in plain])), f"{_VENDOR}.config.v1+json")
    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{_VENDOR}.manifest.v1+json",
        "config": config,
        "layers": packed,
        "annotations": _annotations(labels),
    }
    named = _kept(blobs, _json(manifest), f"{_VENDOR}.manifest.v1+json")
    named |= {
        "platform": {"architecture": debian_packages.ARCHITECTURE, "os": "linux"},
        "annotations": {"org.opencontainers.image.ref.name": labels.version},
    }
    index = {"schemaVersion": 2, "mediaType": f"{_VENDOR}.index.v1+json", "manifests": [named]}
    files = [Entry("oci-layout", _json({"imageLayoutVersion": "1.0.0"})), Entry("index.json", _json(index))]
    files += [Entry(f"blobs/sha256/{digest}", content) for digest, content in blobs.items()]
    return tar(files, seconds)


def _config(labels: Labels, layers: list[str]) -> dict[str, object]:
    return {
        "created": labels.created,
        "architecture": debian_packages.ARCHITECTURE,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Env": [
                f"PATH=/{HOME}/bin:/usr/bin",
                f"CREDENCE_DATA_DIR=/{DATA}",
                "CREDENCE_HOST=0.0.0.0",
                "PYTHONDONTWRITEBYTECODE=1",
                "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
            ],
            "Entrypoint": [f"/{HOME}/bin/credence"],
            "Cmd": ["serve"],
            "WorkingDir": f"/{DATA}",
            "Volumes": {f"/{DATA}": {}},
            "ExposedPorts": {"8443/tcp": {}},
            "StopSignal": "SIGTERM",
            "Labels": _annotations(labels),
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{each}" for each in layers]},
        "history": [
            {"created": labels.created, "created_by": f"make release ({name})"}
            for name in ("debian", "packages", "program")
        ],
    }


def _annotations(labels: Labels) -> dict[str, str]:
    return {
        "org.opencontainers.image.title": "Credence",
        "org.opencontainers.image.description": labels.description,
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.version": labels.version,
        "org.opencontainers.image.revision": labels.commit,
        "org.opencontainers.image.created": labels.created,
    }


def _kept(blobs: dict[str, bytes], content: bytes, kind: str) -> dict[str, object]:
    digest = _digest(content)
    blobs[digest] = content
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()
