"""An application with the profile `fapi2`, as the conformance suite's client uses it: an assertion and a DPoP proof."""

from typing import Any

from joserfc.jwk import Key

from credence.identity.client_keys import read_key_set
from tests.deployment import TOKEN_PATH, Deployment, Header, Reply
from tests.oauth import assertions
from tests.oauth.proving import REPORT, Prover
from tests.oauth.proving import Key as ProofKey
from tests.oauth.standard import ask, error

KEYS: dict[str, Key] = {"ES256": assertions.EC, "PS256": assertions.RSA}
"""The suite needs two clients; these are their keys."""


class Fapi2Client:
    """Sends what a module changes, and for the rest good assertions and proofs."""

    def __init__(self, deployment: Deployment, algorithm: str) -> None:
        self.assertions = assertions.Client(deployment, KEYS[algorithm], algorithm)
        self.prover = Prover(deployment, ProofKey("ES256"))
        self.deployment = deployment

    async def ask(
        self, proof: dict[str, Any] | None = None, assertion: str | None = None, *, bound: bool = True, **fields: str
    ) -> Reply:
        """Ask for a token.

        `proof` changes claims of the proof, `assertion` replaces the assertion (empty: none), `bound` sends a proof.
        """
        form = {"grant_type": "client_credentials", **fields}
        if assertion != "":
            form |= {
                "client_assertion_type": assertions.TYPE,
                "client_assertion": assertion or self.assertions.assertion(),
            }
        proofs = [("DPoP", self.prover.proof("POST", TOKEN_PATH, **(proof or {})))] if bound else []
        reply = await ask(self.deployment, form, proofs)
        self.prover.nonce = reply.headers.get("dpop-nonce", self.prover.nonce)
        return reply

    async def token(self) -> str:
        reply = await self.ask()
        assert reply.status == 200, reply
        token: str = reply.json["access_token"]
        return token

    async def report(self, token: str, proof: str | None = None, scheme: str = "DPoP") -> Reply:
        """Open a report, with a good proof unless another is given."""
        headers: list[Header] = [("Authorization", f"{scheme} {token}")]
        headers.append(("DPoP", self.prover.proof(token=token) if proof is None else proof))
        return await self.deployment.send("GET", REPORT, headers)


async def fapi2_client(deployment: Deployment, algorithm: str = "ES256") -> Fapi2Client:
    """Give the deployment's application the profile, with what `credence app create --profile fapi2` adds to it."""
    await deployment.change_application(
        authentication="private_key_jwt",
        keys=read_key_set(assertions.key_set(assertions.public(KEYS[algorithm], alg=algorithm))),
        grants=("client_credentials",),
        profile="fapi2",
        dpop_required=True,
        algorithm="ES256",
        id_token_algorithm="ES256",
    )
    client = Fapi2Client(deployment, algorithm)
    assert error(await client.ask()) == (400, "use_dpop_nonce")  # from now on the client has the nonce
    return client
