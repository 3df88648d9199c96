"""The Debian package of the program for Debian 12, with the unit of systemd, its user and its settings."""

from collections.abc import Sequence
from pathlib import Path

from tools.release.archives import Entry, compressed, folder_entries, tar, with_folders
from tools.release.debian_packages import ARCHITECTURE

_SCRIPTS = ("postinst", "prerm", "postrm")
_CONTROL = """\
Package: credence
Version: {version}
Architecture: {architecture}
Maintainer: Credence contributors <credence@credence.invalid>
Installed-Size: {kibibytes}
Depends: python3.11, libc6 (>= 2.36), libstdc++6, libgcc-s1, openssl, ca-certificates
Recommends: systemd (>= 250)
Section: net
Priority: optional
Description: token service and UK business credit-risk API
 Credence issues tokens by OAuth 2.0 and OpenID Connect, and serves the
 business credit-risk API that its tokens open.
"""


def build(source: Path, program: Sequence[Entry], version: str, seconds: int) -> bytes:
    """Return the package: an archive of `ar` with two tar archives, as deb(5) has it."""
    systemd, recipe = source / "deploy" / "systemd", source / "deploy" / "debian"
    files = with_folders(
        [
            *program,
            Entry("usr/lib/systemd/system/credence.service", systemd / "credence.service"),
            Entry("usr/lib/sysusers.d/credence.conf", systemd / "credence.sysusers"),
            Entry("etc/credence/credence.env", systemd / "credence.env", 0o600),
            Entry("usr/sbin/credence", recipe / "credence", 0o755),
            Entry("usr/share/doc/credence/copyright", source / "NOTICE"),
            *folder_entries(source / "deploy" / "haproxy", "usr/share/doc/credence/haproxy"),
            *folder_entries(source / "deploy" / "prometheus", "usr/share/doc/credence/prometheus"),
            Entry("usr/share/man/man1/credence.1.gz", compressed((source / "docs" / "credence.1").read_bytes())),
        ]
    )
    size = sum(len(each.read()) for each in files)
    control = _CONTROL.format(version=version, architecture=ARCHITECTURE, kibibytes=size // 1024)
    about = [
        Entry("control", control.encode()),
        Entry("conffiles", b"/etc/credence/credence.env\n"),
        *(Entry(name, recipe / name, 0o755) for name in _SCRIPTS),
    ]
    members = {
        "debian-binary": b"2.0\n",
        "control.tar.gz": compressed(tar(about, seconds, "./")),
        "data.tar.gz": compressed(tar(files, seconds, "./")),
    }
    return b"!<arch>\n" + b"".join(_member(name, content, seconds) for name, content in members.items())


def _member(name: str, content: bytes, seconds: int) -> bytes:
    head = f"{name:<16}{seconds:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
    return head + content + b"\n" * (len(content) % 2)
