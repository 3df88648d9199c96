"""Two regions and a third that only votes: `python -m tests.long.regions`, which stops by itself and keeps what it measured.

Each region is a network namespace of this machine with an address of its own; the packets between them pass through this
program, which holds them back for as long as the way takes, or drops them. In two regions there are a node, a PostgreSQL
with its Patroni and an etcd, in the third an etcd. Clients reach each region without delay, also while it is cut off.

A region is lost (every process in it is killed), returns, is cut off from the others (split brain), and is joined again;
once with a synchronous standby and once with an asynchronous one. RPO: acknowledged logins that the service does not know
after it, and the seconds from the fault at which the first and the last of them were acknowledged. RTO: seconds from the
fault until the other region issues tokens again.
"""

import argparse
import datetime as dt
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from bench.machine import machine, versions
from bench.record import RESULTS
from tests.long.callers import Caller, Callers
from tests.long.patroni import Member, Standby, give, missing, run_as_postgres
from tests.long.wide_network import Region, WideNetwork
from tests.nodes import ISSUER, KEY
from tests.postgres import PASSWORD, open_folder
from tests.running import PROGRAM, clean_environment

WITHIN = 120.0
"""Seconds for each change of roles, on a busy machine."""

SETTLES_SECONDS = 3.0
"""How long the answers after a recovery are counted."""

PORT, ETCD_PORT, ETCD_PEER_PORT = 8000, 2379, 2380


class Deployment:
    """The service of both regions."""

    def __init__(self, folder: Path, regions: list[Region], *, synchronous: bool) -> None:
        self.regions, self._folder = regions, folder
        voters = [f"{region.address}:{ETCD_PORT}" for region in regions]
        standby: Standby = "synchronous" if synchronous else "asynchronous"
        self.members = [Member(folder, region.name, voters, region, standby) for region in regions[:2]]
        self._others: dict[str, list[subprocess.Popen[bytes]]] = {region.name: [] for region in regions}

    def start(self) -> None:
        for region in self.regions:
            self._vote(region)
        self.members[0].start()
        wait_for(lambda: self.members[0].is_primary, "no first primary")
        self.members[1].start()
        self.wait_until_whole()
        for region in self.regions[:2]:
            self._serve(region)

    def lose(self, region: Region) -> None:
        """Kill every process of a region at once."""
        for member in self.members:
            if member.name == region.name:
                member.end()
        for process in self._others[region.name]:
            process.kill()
            process.wait()
        self._others[region.name].clear()

    def bring_back(self, region: Region) -> None:
        self._vote(region)
        next(each for each in self.members if each.name == region.name).start()
        self._serve(region)

    def wait_until_whole(self) -> None:
        wait_for(lambda: sum(each.is_primary for each in self.members) == 1, "there is no single primary")
        wait_for(lambda: any(each.has_standby for each in self.members), "no standby follows")

    def end(self) -> None:
        for region in self.regions:
            self.lose(region)

    def _vote(self, region: Region) -> None:
        client, peer = f"http://{region.address}:{ETCD_PORT}", f"http://{region.address}:{ETCD_PEER_PORT}"
        all_of_them = ",".join(f"{each.name}=http://{each.address}:{ETCD_PEER_PORT}" for each in self.regions)
        options = {
            "name": region.name,
            "data-dir": str(self._folder / f"etcd-{region.name}"),
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": all_of_them,
        }
        command = ["etcd", *(f"--{name}={value}" for name, value in options.items())]
        self._others[region.name].append(run_as_postgres(command, self._folder, region.inside))

    def _serve(self, region: Region) -> None:
        pairs = zip(self.regions, self.members, strict=False)
        addresses = ",".join(f"{each.address}:{member.port}" for each, member in pairs)
        variables = {
            "CREDENCE_STORE": f"postgresql://credence:{PASSWORD}@{addresses}/postgres?target_session_attrs=read-write",
            "CREDENCE_KEY_ENCRYPTION_KEY": KEY,
            "CREDENCE_BASE_URL": ISSUER,
            "CREDENCE_DATA_DIR": str(self._folder / "data"),
            "CREDENCE_HOST": region.address,
            "CREDENCE_PORT": str(PORT),
            "CREDENCE_HOSTS": region.address,
            "CREDENCE_TRUSTED_PROXIES": "10.92.0.1/32",
            "CREDENCE_ALGORITHM": "ES256",
            **dict.fromkeys(
                ("CREDENCE_SPIKE_PER_MINUTE", "CREDENCE_SPIKE_ACCOUNT_PER_MINUTE", "CREDENCE_SPIKE_ADDRESS_PER_MINUTE"),
                "0",
            ),
        }
        with (self._folder / f"node-{region.name}.txt").open("ab") as log:
            process = subprocess.Popen(
                [*region.inside, *PROGRAM, "serve", "--http"],
                env=clean_environment(**variables),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._others[region.name].append(process)
        url = f"http://{region.address}:{PORT}/readyz"
        wait_for(lambda: _answers(url), f"the node of {region.name} is not ready")


def drill(*, synchronous: bool, one_way_ms: float, seconds: float) -> dict[str, Any]:
    """Run the four faults with one kind of standby, and return what came of them."""
    with WideNetwork(["east", "west", "third"], one_way_ms) as network, open_folder() as place:
        give(place)
        deployment = Deployment(place, network.regions, synchronous=synchronous)
        try:
            deployment.start()
            sandbox = json.loads((place / "data" / "sandbox.json").read_text())
            callers = Callers(
                [Caller(each.name, f"http://{each.address}:{PORT}", sandbox) for each in network.regions[:2]]
            )
            with callers:
                found = {
                    "round_trip_ms": network.measured_round_trip_ms(ETCD_PORT),
                    **_faults(deployment, network, callers, seconds),
                }
        except BaseException:
            for file in sorted([*place.glob("*.txt"), *place.glob("*/*.log"), *place.glob("*.log")]):
                print(f"--- {file}\n{file.read_text(errors='replace')[-1500:]}", file=sys.stderr)
            raise
        finally:
            deployment.end()
    return {"standby": "synchronous" if synchronous else "asynchronous", **found}


def _faults(deployment: Deployment, network: WideNetwork, callers: Callers, seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {}
    began = time.monotonic()
    time.sleep(seconds)
    found["undisturbed"] = callers.told_since(began)

    home = _home(deployment, network)
    began = time.monotonic()
    deployment.lose(home)
    found["region_lost"] = _after(callers, _other(network, home), began)
    found["region_returned"] = _whole_again(deployment, callers, lambda: deployment.bring_back(home))

    time.sleep(seconds)
    home = _home(deployment, network)
    other = _other(network, home)
    began = time.monotonic()
    network.cut(home)
    split = _after(callers, other, began)
    split["last_token_of_the_region_cut_off_s"] = callers.last_success(home.name, began)
    joined = time.monotonic()
    found["split"] = split
    found["joined"] = _whole_again(deployment, callers, network.join)
    found["joined"]["lost_logins"] = len(callers.lost(other.name, began, joined))
    return found


def _whole_again(deployment: Deployment, callers: Callers, act: Callable[[], None]) -> dict[str, Any]:
    began = time.monotonic()
    act()
    deployment.wait_until_whole()
    return {"seconds": round(time.monotonic() - began, 1), **callers.told_since(began)}


def _after(callers: Callers, other: Region, began: float) -> dict[str, Any]:
    """Wait until the other region issues tokens again, and return RTO, RPO and what each node answered."""
    wait_for(lambda: callers.recovery(other.name, began) is not None, "the other region issues no token")
    recovered = callers.recovery(other.name, began)
    time.sleep(SETTLES_SECONDS)
    lost = callers.lost(other.name, began, time.monotonic())
    span = [round(-max(lost), 2), round(-min(lost), 2)] if lost else []
    return {"rto_s": recovered, "rpo_logins": len(lost), "lost_acknowledged_s": span, **callers.told_since(began)}


def _home(deployment: Deployment, network: WideNetwork) -> Region:
    (primary,) = [member.name for member in deployment.members if member.is_primary]
    return next(each for each in network.regions if each.name == primary)


def _other(network: WideNetwork, home: Region) -> Region:
    return next(each for each in network.regions[:2] if each is not home)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False


def wait_for(holds: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + WITHIN
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(otherwise)
        time.sleep(0.1)


def main() -> int:
    options = _options()
    if packages := missing():
        print(f"Needs the Debian packages {' '.join(packages)}.", file=sys.stderr)
        return 2
    found = [
        drill(synchronous=synchronous, one_way_ms=options.one_way_ms, seconds=options.seconds)
        for synchronous in (True, False)
    ]
    print(json.dumps(found, indent=2))
    file = RESULTS / f"{dt.datetime.now(dt.UTC):%Y-%m-%d-%H%M}-regions.json"
    record = {"machine": machine(Path.cwd()), "versions": versions(), "regions": found}
    file.write_text(json.dumps(record, indent=2) + "\n")
    print(file)
    return 0 if not any(found[0][fault]["rpo_logins"] for fault in ("region_lost", "split")) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one-way-ms", type=float, default=20.0, help="delay between two regions")
    parser.add_argument("--seconds", type=float, default=8.0, help="of load before each fault")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
