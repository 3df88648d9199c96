"""Clients without secrets: a token of the platform on which they run authenticates them (RFC 7523 §2.2), threats E16.

The claims are those of a projected service account token of Kubernetes, and of an ID token of a CI service.
"""

import json
from typing import Any

import pytest

from credence.errors import InvalidInput
from credence.identity.client_keys import read_key_set
from credence.management.application_fields import configured, read_workload
from credence.store.records import Workload
from credence.store.trusted_issuers import ISSUERS, TrustedIssuer
from tests.deployment import NOW, Deployment, Reply
from tests.oauth.assertions import EC, OTHER_EC, RSA, TYPE, key_set, public, signed
from tests.oauth.standard import ask, error

CLUSTER, OTHER = "https://kubernetes.default.svc.cluster.local", "https://ci.example.com"
US = "https://localhost:8443"
SECONDS = NOW // 1000
SUBJECT = "system:serviceaccount:prod:ledger"


def platform(
    id_: str = "cluster", identifier: str = CLUSTER, key: Any = RSA, alg: str = "RS256", **changes: Any
) -> TrustedIssuer:
    keys = read_key_set(key_set(public(key, alg=alg, kid="k1")))
    return TrustedIssuer(id_, identifier, "Cluster", NOW, **{"uses": ("clients",), "keys": keys, **changes})


async def running(deployment: Deployment, *issuers: TrustedIssuer, **changes: Any) -> None:
    """Bind the application to a service account of the cluster; it has neither secret nor key."""
    for each in issuers or (platform(),):
        await deployment.store.save(ISSUERS, each, NOW)
    bound = (
        Workload("cluster", SUBJECT),
        Workload("ci", "repo:example/ledger:*", "repo:example/ledger:ref:refs/heads/main"),
    )
    await deployment.change_application(
        **{
            "authentication": "private_key_jwt",
            "secrets": (),
            "grants": ("client_credentials",),
            "workloads": bound,
            **changes,
        }
    )


def token(key: Any = RSA, header: dict[str, Any] | None = None, **changes: Any) -> str:
    """A projected service account token, which Kubernetes signs without `typ`."""
    usual = {
        "iss": CLUSTER,
        "sub": SUBJECT,
        "aud": [US],
        "iat": SECONDS - 600,
        "nbf": SECONDS - 600,
        "exp": SECONDS + 3_000,
        "kubernetes.io": {"namespace": "prod", "serviceaccount": {"name": "ledger"}},
    }
    whole = {name: value for name, value in (usual | changes).items() if value is not None}
    return signed(key, {"alg": "RS256", "kid": "k1", **(header or {})}, whole)


async def show(deployment: Deployment, text: str, **more: str) -> Reply:
    fields = {
        "grant_type": "client_credentials",
        "client_id": deployment.application.client_id,
        "client_assertion_type": TYPE,
        "client_assertion": text,
    }
    return await ask(deployment, fields | more, headers=[])


async def test_a_service_account_gets_tokens_without_a_secret(deployment: Deployment) -> None:
    """As often as the program sends it: the platform hands it out for an hour."""
    await running(deployment)
    for _ in range(2):
        reply = await show(deployment, token())
        assert reply.status == 200, reply
    assert (await deployment.report(reply.json["access_token"])).status == 200


async def test_a_pattern_binds_the_runs_of_one_repository(deployment: Deployment) -> None:
    ci = platform("ci", OTHER, EC, "ES256")
    await running(deployment, ci)
    for subject, status in (("repo:example/ledger:pull_request", 200), ("repo:example/ledger-fork:pull_request", 401)):
        text = token(EC, {"alg": "ES256", "typ": "JWT"}, iss=OTHER, sub=subject, aud=US)
        assert (await show(deployment, text)).status == status


FORGED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "another service account": ({}, {"sub": "system:serviceaccount:prod:other"}, "assertion.subject"),
    "another namespace": ({}, {"sub": "system:serviceaccount:dev:ledger"}, "assertion.subject"),
    "a longer subject": ({}, {"sub": f"{SUBJECT}-2"}, "assertion.subject"),
    "the subject as a list": ({}, {"sub": [SUBJECT]}, "assertion.subject"),
    "the client_id as subject": ({}, {"sub": "crd_sbx_app_a"}, "assertion.subject"),
    "no subject": ({}, {"sub": None}, "assertion.subject"),
    "an unknown issuer": ({}, {"iss": "https://evil.example"}, "assertion.issuer"),
    "no issuer": ({}, {"iss": None}, "assertion.issuer"),
    "another audience": ({}, {"aud": ["https://kubernetes.default.svc"]}, "issuer_token.audience"),
    "two audiences": ({}, {"aud": [US, "https://kubernetes.default.svc"]}, "issuer_token.audience"),
    "no audience": ({}, {"aud": None}, "issuer_token.audience"),
    "expired": ({}, {"exp": SECONDS}, "issuer_token.times"),
    "valid for a year": ({}, {"exp": SECONDS + 31_536_000}, "issuer_token.times"),
    "not yet valid": ({}, {"nbf": SECONDS + 60}, "issuer_token.times"),
    "an access token": ({"typ": "at+jwt"}, {}, "issuer_token.type"),
    "an identity assertion": ({"typ": "oauth-id-jag+jwt"}, {}, "issuer_token.type"),
    "another kid": ({"kid": "k2"}, {}, "issuer_token.signature"),
}


@pytest.mark.parametrize("name", FORGED)
async def test_a_forged_token_authenticates_nobody(deployment: Deployment, name: str) -> None:
    header, changes, reason = FORGED[name]
    await running(deployment)
    assert error(await show(deployment, token(header=header, **changes))) == (401, "invalid_client")
    assert deployment.service.counts.refusals[reason] == 1


async def test_the_key_of_another_platform_does_not_sign_for_the_cluster(deployment: Deployment) -> None:
    await running(deployment, platform(), platform("ci", OTHER, OTHER_EC, "ES256"))
    text = token(OTHER_EC, {"alg": "ES256"})
    assert error(await show(deployment, text)) == (401, "invalid_client")


async def test_a_subject_counts_for_its_own_platform_alone(deployment: Deployment) -> None:
    """threats E16: both may use the same text."""
    await running(deployment, platform(), platform("ci", OTHER, EC, "ES256"))
    text = token(EC, {"alg": "ES256"}, iss=OTHER)
    assert error(await show(deployment, text)) == (401, "invalid_client")
    assert deployment.service.counts.refusals["assertion.subject"] == 1


@pytest.mark.parametrize(
    ("of_issuer", "of_application"),
    [
        ({"disabled": True}, {}),
        ({"uses": ("sign_in", "assertions")}, {}),
        ({"applications": ("crd_sbx_app_other",)}, {}),
        ({"subjects": ("system:serviceaccount:dev:*",)}, {}),
        ({}, {"workloads": ()}),
        ({}, {"disabled": True}),
    ],
)
async def test_issuer_and_application_must_both_allow_it(
    deployment: Deployment, of_issuer: dict[str, Any], of_application: dict[str, Any]
) -> None:
    await running(deployment, platform(**of_issuer), **of_application)
    assert error(await show(deployment, token())) == (401, "invalid_client")


async def test_an_application_that_keeps_fapi_signs_its_assertions_itself(deployment: Deployment) -> None:
    """FAPI 2.0 §5.3.2.1."""
    await running(deployment, profile="fapi2")
    assert error(await show(deployment, token())) == (401, "invalid_client")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cluster",
        "cluster a b c",
        "cluster *",
        "cluster *:ledger x:ledger",
        "cluster ns:*",
        "cluster ns:* other:ledger",
    ],
)
def test_a_pattern_is_saved_only_with_a_subject_that_it_matches(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_workload(text)


async def test_a_tested_pattern_and_a_whole_subject_are_saved(deployment: Deployment) -> None:
    assert read_workload("cluster ns:* ns:ledger") == Workload("cluster", "ns:*", "ns:ledger")
    wanted = {"authentication": "private_key_jwt", "workloads": ["cluster ns:ledger"]}
    changed = configured(deployment.application, wanted)
    assert changed.workloads == (Workload("cluster", "ns:ledger"),)
    assert changed.secrets == ()
    assert json.dumps([each.subject for each in changed.workloads]) == '["ns:ledger"]'
