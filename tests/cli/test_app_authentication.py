"""How an application proves itself, set by command (RFC 7523, RFC 8705)."""

from pathlib import Path

import pytest

from tests.cli.deployment import Deployment
from tests.cli.test_app import kept
from tests.oauth.assertions import EC, OTHER_EC, RSA, key_set, public
from tests.oauth.client_certificates import certificate

EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"


@pytest.fixture
def jwks(tmp_path: Path) -> Path:
    file = tmp_path / "keys.json"
    file.write_text(key_set(public(EC, kid="first")))
    return file


def test_an_application_with_keys_has_no_secret(deployment: Deployment, jwks: Path) -> None:
    made = deployment.json("app", "create", "Shop", "--authentication", "private_key_jwt", "--jwks", str(jwks))
    assert "client_secret" not in made
    shown = deployment.json("app", "show", made["client_id"])
    assert (shown["authentication"], shown["secrets"]) == ("private_key_jwt", [])
    assert shown["jwks"] == {"keys": [public(EC, kid="first", alg="ES256")]}
    done = deployment.run("app", "rotate-secret", made["client_id"])
    assert (done.returncode, "it has no secret" in done.stderr) == (2, True)


def test_keys_are_printed_as_they_are_registered_and_replaced(deployment: Deployment, jwks: Path) -> None:
    """RFC 7517 §5: with the algorithm that each is for, and never a private member (threats T13)."""
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    assert "jwks" not in deployment.json("app", "show", client_id)
    printed = deployment.json("app", "set", client_id, "--jwks", str(jwks))["jwks"]
    assert printed == {"keys": [public(EC, kid="first", alg="ES256")]}
    jwks.write_text(key_set(public(OTHER_EC, kid="second")))
    deployment.run("app", "set", client_id, "--jwks", str(jwks))
    assert [key["kid"] for key in deployment.json("app", "show", client_id)["jwks"]["keys"]] == ["second"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no JSON object"),
        ("[]", "has no JSON object"),
        ('{"keys":[]}', "1 to 10 keys"),
        (key_set(EC.as_dict(private=True)), "private members"),
        (key_set({"kty": "oct", "k": "c2VjcmV0"}), "Key 1 cannot be used"),
        (key_set(public(EC), public(OTHER_EC)), "a kid of its own"),
    ],
)
def test_keys_that_cannot_be_used_are_refused(deployment: Deployment, tmp_path: Path, text: str, said: str) -> None:
    """threats T13, T14: and nothing of them is repeated."""
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    file = tmp_path / "keys.json"
    file.write_text(text)
    done = deployment.run("app", "set", client_id, "--jwks", str(file))
    assert done.returncode == 2
    assert said in done.stderr
    assert str(EC.as_dict(private=True)["d"]) not in done.stderr
    assert kept(deployment, client_id).keys == ()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--authentication", "private_key_jwt"], "needs a key set"),
        (["--authentication", "self_signed_tls_client_auth"], "with certificates"),
        (["--authentication", "tls_client_auth"], "needs the one name"),
        (
            ["--authentication", "none"],
            "only refresh_token, authorization_code, urn:ietf:params:oauth:grant-type:device_code, ",
        ),
        (["--authentication", "secret"], "There is no method of authentication"),
        (["--certificate-name", "dns=example.com"], "KIND=VALUE"),
        (["--certificate-name", "subject_dn=Shop"], "cannot be used"),
        (["--certificate-bound-tokens", "--dpop-required"], "bound to one thing"),
    ],
)
def test_what_could_never_work_is_not_registered(deployment: Deployment, arguments: list[str], said: str) -> None:
    done = deployment.run("app", "create", "Shop", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_certificates_are_registered_by_name_or_themselves(deployment: Deployment, tmp_path: Path) -> None:
    """RFC 8705 §2.1.2, §2.2.2."""
    named = deployment.json(
        "app", "create", "A", "--authentication", "tls_client_auth", "--certificate-name", "san_dns=Shop.Example.com"
    )
    assert deployment.json("app", "show", named["client_id"])["certificate_name"] == "san_dns=shop.example.com"
    file = tmp_path / "keys.json"
    own = certificate()
    file.write_text(key_set(own.jwk))
    arguments = ["--authentication", "self_signed_tls_client_auth", "--jwks", str(file), "--certificate-bound-tokens"]
    itself = deployment.json("app", "create", "B", *arguments)
    shown = deployment.json("app", "show", itself["client_id"])
    assert shown["certificate_bound_tokens"] is True
    assert shown["jwks"] == {"keys": [{**own.jwk, "alg": "ES256"}]}


def test_a_method_that_is_changed_takes_its_secrets_along(deployment: Deployment, jwks: Path) -> None:
    """threats A14: a secret that nobody uses any more must not come back with the method."""
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    deployment.json("app", "set", client_id, "--authentication", "private_key_jwt", "--jwks", str(jwks))
    assert kept(deployment, client_id).secrets == ()
    deployment.json("app", "set", client_id, "--authentication", "client_secret")
    assert kept(deployment, client_id).secrets == ()
    secret = deployment.json("app", "rotate-secret", client_id)["client_secret"]
    assert secret.startswith("crd_sbx_sec_")
    assert len(kept(deployment, client_id).secrets) == 1


def test_a_public_application_may_exchange(deployment: Deployment) -> None:
    made = deployment.json("app", "create", "App", "--authentication", "none", "--grant", EXCHANGE)
    assert "client_secret" not in made


def test_the_profile_fapi2_adds_what_it_needs_to_a_new_application(deployment: Deployment, jwks: Path) -> None:
    """FAPI 2.0 §5.3.2.1, §5.4.1: what is not named is set so that the rules are kept."""
    options = ("--profile", "fapi2", "--authentication", "private_key_jwt", "--jwks", str(jwks))
    client_id = deployment.json("app", "create", "Bank", *options)["client_id"]
    shown = deployment.json("app", "show", client_id)
    assert shown["profile"] == "fapi2"
    assert shown["grants"] == ["client_credentials"]
    assert shown["dpop_required"] is True
    assert (shown["algorithm"], shown["id_token_algorithm"]) == ("ES256", "ES256")


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--authentication", "client_secret", "needs one of the methods"),
        ("--grant", "password", "excludes the grant password"),
        ("--algorithm", "RS256", "takes only PS256, ES256, EdDSA"),
        ("--id-token-algorithm", "RS256", "takes only PS256, ES256, EdDSA"),
        ("--no-dpop-required", None, "bound to a key or a certificate"),
    ],
)
def test_what_the_profile_fapi2_excludes_is_refused(
    deployment: Deployment, jwks: Path, option: str, value: str | None, said: str
) -> None:
    options = ("--profile", "fapi2", "--authentication", "private_key_jwt", "--jwks", str(jwks))
    client_id = deployment.json("app", "create", "Bank", *options)["client_id"]
    done = deployment.run("app", "set", client_id, option, *([value] if value else []))
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert (
        deployment.json("app", "set", client_id, "--profile", "", "--authentication", "client_secret")["profile"]
        is None
    )


def test_keys_for_rs256_do_not_fit_the_profile_fapi2(deployment: Deployment, tmp_path: Path) -> None:
    file = tmp_path / "rsa.json"
    file.write_text(key_set(public(RSA, alg="RS256")))
    options = ("--profile", "fapi2", "--authentication", "private_key_jwt", "--jwks", str(file))
    done = deployment.run("app", "create", "Bank", *options)
    assert (done.returncode, "takes only" in done.stderr) == (2, True), done.stderr
