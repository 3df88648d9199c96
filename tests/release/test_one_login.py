"""One login survives every way of installing Credence: 0.2.0, this version, back, on again, removal, a new installation.

First by the wheel over SQLite, then the same login by the Debian package and the image, and, after `credence store copy`,
by the resources for Kubernetes over PostgreSQL; by the wheel over PostgreSQL too. Each version meets the schema of the
other, and each accepts the access token that the other has issued, and refreshes with its refresh token.
"""

import dataclasses
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from credence.store.migrations import scripts
from tests.deploy.test_helm import helm, rendered
from tests.ports import free_port
from tests.release.test_debian_package import Machine, accepts, machine
from tests.release.ways import Chart, Image, Package, Site, Way, Wheel, by_kind
from tests.running import run_command

__all__ = ["helm", "machine"]

pytestmark = pytest.mark.long

USERNAME, PASSWORD = "ada", "blue-herring-orbit-47"


@dataclass
class Login:
    """The login of one account at one application, as its client knows it."""

    client_id: str
    secret: str
    access: str
    refresh: str
    used: int = 0

    def use(self, client: httpx.Client) -> None:
        """Open the API with the access token of before, and refresh."""
        assert accepts(client, self.access)
        headers = {"client_id": self.client_id, "client_secret": self.secret}
        body = {"grant_type": "refresh_token", "refresh_token": self.refresh}
        reply = client.post("/oauth2/v1/token", headers=headers, json=body)
        assert reply.status_code == 200, reply.text
        pair = reply.json()
        assert pair["refresh_token"] != self.refresh
        self.access, self.refresh = pair["access_token"], pair["refresh_token"]
        assert accepts(client, self.access)
        self.used += 1


def logged_in(wheel: Wheel) -> Login:
    """Register an application and an account with the installed version, and log in."""
    grants = [word for grant in ("password", "refresh_token") for word in ("--grant", grant)]
    made = json.loads(wheel.run("app", "create", "Ledger", *grants, "--json"))
    wheel.run("account", "create", USERNAME, "--type", "user", "--password-stdin", typed=PASSWORD)
    with wheel.serving() as client:
        body = {"username": USERNAME, "password": PASSWORD}
        reply = client.post("/oauth2/v1/token", headers=made, json=body)
        assert reply.status_code == 200, reply.text
        pair = reply.json()
    return Login(made["client_id"], made["client_secret"], pair["access_token"], pair["refresh_token"])


def survives(login: Login, way: Way, before: Callable[[], None], now: Callable[[], None]) -> None:
    """Use the login with the version before, with this one, back, on again, and after a removal."""
    for install in (before, now, before, now, way.remove, now):
        install()
        if install != way.remove:
            with way.serving() as client:
                login.use(client)


def test_one_login_survives_wheel_package_image_and_chart(
    older: Path, release: Path, machine: Machine, helm: str, postgres: str, tmp_path: Path
) -> None:
    if shutil.which("crun") is None or os.geteuid() != 0:
        pytest.skip("crun is missing, or this is not root: python -m tests.provision")
    before, site = older / "release", Site(tmp_path, free_port())
    site.prepare()
    wheel = Wheel(site)
    wheel.install(before)
    login = logged_in(wheel)
    survives(login, wheel, lambda: wheel.install(before), lambda: wheel.install(release))

    package = Package(site, machine)
    survives(login, package, lambda: package.install(before), lambda: package.install(release))
    package.give_back()

    image = Image(site)
    survives(login, image, lambda: image.install(before), lambda: image.install(release))

    copied = run_command("store", "copy", str(site.folder / "data"), postgres, **site.here)
    assert copied.returncode == 0, copied.stderr
    site = dataclasses.replace(site, store=postgres)
    (site.folder / "keys" / "store").write_text(postgres)
    chart = Chart(site)
    base = resources_of_0_2(older / "source", site)
    made = by_kind("\n---\n".join(json.dumps(each) for each in rendered(helm, *values(site))))
    survives(login, chart, lambda: chart.install(before, base), lambda: chart.install(release, made))
    assert login.used == 4 * 5


def test_one_login_survives_the_wheel_over_postgresql(
    older: Path, release: Path, postgres: str, tmp_path: Path
) -> None:
    before, site = older / "release", Site(tmp_path, free_port(), postgres)
    site.prepare()
    wheel = Wheel(site)
    wheel.install(before)
    login = logged_in(wheel)
    survives(login, wheel, lambda: wheel.install(before), lambda: wheel.install(release))
    assert login.used == 5


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_the_schema_of_0_2_is_older_than_that_of_this_version(older: Path, dialect: str) -> None:
    """Otherwise the ways there and back would prove nothing about migrations."""
    earlier = list((older / "source" / "src" / "credence" / "store" / "schema").glob(f"{dialect}-*.sql"))
    assert 0 < len(earlier) < len(scripts(dialect))


def values(site: Site) -> list[str]:
    """Return the values that an operator sets, and ports that are free here: the pod uses the network of this machine."""
    settings = {"BASE_URL": site.url, "PORT": site.port, "METRICS_PORT": free_port()}
    return [f"--set-string=settings.CREDENCE_{name}={value}" for name, value in settings.items()]


def resources_of_0_2(source: Path, site: Site) -> dict[str, dict[str, Any]]:
    """Return the resources that 0.2.0 was released with, with the address and port of the test."""
    folder = source / "deploy" / "kubernetes" / "base"
    found = by_kind("\n---\n".join((folder / f"{name}.yaml").read_text() for name in ("configmap", "deployment")))
    found["ConfigMap"]["data"] |= {"CREDENCE_BASE_URL": site.url, "CREDENCE_PORT": str(site.port)}
    return found
