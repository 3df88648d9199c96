"""A device of a few lines does what `docs/clients/devices.md` says, over HTTPS."""

import time

import pytest

from tests.strangers import device
from tests.strangers.programs import opens_a_report, person_decides
from tests.strangers.provider import Provider

GRANTS = ("--grant", device.DEVICE_CODE, "--grant", "refresh_token", "--authentication", "none")


@pytest.mark.parametrize("decision", ["allow", "cancel"])
def test_a_device_waits_for_its_person_and_gets_what_was_decided(
    trusted_by_requests: Provider, monkeypatch: pytest.MonkeyPatch, decision: str
) -> None:
    """RFC 8628 §3.3 to §3.5: what it shows is enough for the person, and it polls at the interval of the answer.

    The pauses are not waited here, so it polls too often and gets `slow_down`: five seconds more each time.
    """
    provider, shown, pauses = trusted_by_requests, list[str](), list[float]()

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            person_decides(provider, shown[1], decision)

    monkeypatch.setattr(time, "sleep", pause)
    client_id = provider.application("a device of a few lines", *GRANTS)["client_id"]
    try:
        tokens = device.connect(provider.issuer, client_id, lambda address, code: shown.extend((address, code)))
    except PermissionError:
        assert decision == "cancel"
    else:
        assert decision == "allow"
        assert opens_a_report(provider, tokens["access_token"])
        assert tokens["refresh_token"]
    assert shown[0] == f"{provider.issuer}/device"
    assert pauses in ([5, 5, 10], [5, 10, 15])
