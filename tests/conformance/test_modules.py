"""Every module of the plans has a test under its name, or a reason why not."""

import importlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.conformance import modules

FOLDER = Path(__file__).parent

OIDCC = ("test_oidcc_basic", "test_oidcc_config", "test_oidcc_rp_initiated_logout", "test_oidcc_back_channel")
FAPI2 = (
    "test_fapi2_client_credentials",
    "test_fapi2_code_flow",
    "test_fapi2_message_signing",
    "test_fapi2_pushed_requests",
)
SIGNALS = ("test_openid_ssf",)

BY_PARAMETER = {
    "ensure-dpopproof-with-iat-10seconds-before-succeeds": "ensure-dpopproof-with-iat-10seconds-before-or-after-succeeds",
    "ensure-dpopproof-with-iat-10seconds-after-succeeds": "ensure-dpopproof-with-iat-10seconds-before-or-after-succeeds",
    "ensure-client-assertion-with-exp-is-5-minutes-in-past-fails": "ensure-invalid-client-assertions-fail",
    "ensure-client-assertion-with-wrong-aud-fails": "ensure-invalid-client-assertions-fail",
    "ensure-client-assertion-with-no-sub-fails": "ensure-invalid-client-assertions-fail",
    "ensure-request-object-without-exp-fails": "ensure-request-object-fails",
    "ensure-request-object-without-nbf-fails": "ensure-request-object-fails",
    "ensure-expired-request-object-fails": "ensure-request-object-fails",
    "ensure-request-object-with-bad-aud-fails": "ensure-request-object-fails",
    "ensure-request-object-with-exp-over-60-fails": "ensure-request-object-fails",
    "ensure-request-object-with-nbf-over-60-fails": "ensure-request-object-fails",
    "par-authorization-request-containing-request_uri": "ensure-request-object-fails",
    **{
        f"stream-control-error-{act}-{rest}": f"stream-control-error-{acts}-{rest}"
        for acts, both in {"read-or-delete": ("read", "delete"), "change": ("update", "replace")}.items()
        for act in both
        for rest in ("stream-with-invalid-token", "stream-with-invalid-body", "unknown-stream")
    },
}
"""Module -> the test that has it as a parameter."""

NOT_APPLICABLE = {
    "scope-address": "skipped by the suite: address is not in scopes_supported",
    "scope-phone": "skipped by the suite: phone is not in scopes_supported",
}


def steady(name: str) -> str:
    """Return a name of a module in the letters that the name of a function has."""
    return name.replace("-", "_").lower()


def names_of_tests(files: Iterable[str], prefix: str) -> set[str]:
    """Return the names of the modules that the tests of these files have."""
    found = [name for file in files for name in vars(importlib.import_module(f"tests.conformance.{file}"))]
    return {name.removeprefix(prefix) for name in found if name.startswith(prefix)}


@pytest.mark.parametrize(
    ("plan", "count", "files", "prefix"),
    [
        ("BASIC", 35, OIDCC, "test_oidcc_"),
        ("CONFIG", 1, OIDCC, "test_oidcc_"),
        ("RP_INITIATED_LOGOUT", 11, OIDCC, "test_oidcc_"),
        ("BACK_CHANNEL_LOGOUT", 2, OIDCC, "test_oidcc_"),
        ("SECURITY_PROFILE", 56, FAPI2, "test_"),
        ("MESSAGE_SIGNING", 14, FAPI2, "test_"),
        ("TRANSMITTER", 21, SIGNALS, "test_openid_ssf_"),
        ("CAEP_INTEROPERABILITY", 1, SIGNALS, "test_openid_ssf_"),
    ],
)
def test_each_module_of_a_plan_has_a_test_under_its_name(
    plan: str, count: int, files: tuple[str, ...], prefix: str
) -> None:
    names = getattr(modules, plan)
    assert len(set(names)) == count
    here = names_of_tests(files, prefix)
    missing = [name for name in names if steady(BY_PARAMETER.get(name, name)) not in here]
    assert [name for name in missing if name not in NOT_APPLICABLE] == []
    assert not {steady(name) for name in NOT_APPLICABLE} & here


def test_every_file_of_tests_is_held_against_the_plans() -> None:
    files = {file.stem for file in FOLDER.glob("test_*.py")} - {"test_modules"}
    assert files == {*OIDCC, *FAPI2, *SIGNALS}
