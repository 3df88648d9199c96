"""Examines a trusted issuer for an operator: metadata, keys, and what a sign-in there needs."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from credence.errors import InvalidInput
from credence.identity.client_keys import usable_keys
from credence.meanings import meaning
from credence.oauth.callable_addresses import outgoing_rules
from credence.oauth.issuer_metadata import IssuerMetadata, IssuerUnavailable, Metadata
from credence.outgoing.target import CallRefused
from credence.paths import FROM_ISSUER
from credence.settings import Settings
from credence.store.trusted_issuers import TrustedIssuer

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient

_WORDS = {
    "issuer.no_calls": "CREDENCE_CALLS_OUT is off, so nothing of it is fetched.",
    "issuer.metadata_unavailable": "Its metadata cannot be fetched at ISSUER/.well-known/openid-configuration.",
    "issuer.metadata_malformed": "Its metadata cannot be read.",
    "issuer.metadata_of_another": "Its metadata names another issuer.",
}


class Examined(Struct):
    """What was found of a trusted issuer."""

    works: Annotated[bool, meaning("Whether nothing is missing.")]
    problems: Annotated[list[str], meaning("What is missing, in sentences.")]
    keys: Annotated[int, meaning("How many keys can verify its tokens.")]
    authorization_endpoint: Annotated[str, meaning("Where people sign in; empty if it does not say.")]
    pushes_requests: Annotated[bool, meaning("Whether authorization requests are pushed there (RFC 9126).")]
    names_itself: Annotated[bool, meaning("Whether its responses have `iss` (RFC 9207).")]
    redirect_uri: Annotated[str, meaning("The redirect URI of this service, to be registered there.")]


async def examine(settings: Settings, issuer: TrustedIssuer) -> Examined:
    """Fetch metadata and keys now, without any cache, and return what is found and what is missing.

    Of metadata and keys that were not fetched nothing is said to be missing.
    """
    client = _client(settings) if settings.calls_out else None
    metadata, problems = Metadata(issuer.issuer), list[str]()
    try:
        if not (issuer.keys or issuer.keys_uri) or "sign_in" in issuer.uses:
            metadata = await IssuerMetadata(client).fetch(issuer)
    except IssuerUnavailable as error:
        problems.append(_WORDS[str(error)])
    if client is None and issuer.keys_uri and not (issuer.keys or problems):
        problems.append(_WORDS["issuer.no_calls"])
    is_fetched = not problems
    count = len(issuer.keys) or await _keys_at(client, issuer.keys_uri or metadata.jwks_uri)
    if not count and is_fetched:
        problems.append("It has no key that can be used: RS256, PS256, ES256 or Ed25519.")
    if "sign_in" in issuer.uses:
        if is_fetched and not (metadata.authorization_endpoint and metadata.token_endpoint):
            problems.append("Its metadata lacks the authorization endpoint or the token endpoint.")
        if not issuer.client_id:
            problems.append("This service has no client_id there: credence issuer set --client-id.")
        if issuer.authentication.startswith("client_secret") and not issuer.client_secret:
            problems.append("This service has no client secret for it: credence issuer set-secret.")
        if is_fetched and issuer.signs_out_there and not metadata.end_session_endpoint:
            problems.append("Its metadata lacks the end session endpoint, at which people sign out.")
    return Examined(
        not problems,
        problems,
        count,
        metadata.authorization_endpoint,
        bool(metadata.pushed_authorization_request_endpoint),
        metadata.authorization_response_iss_parameter_supported,
        f"{settings.issuer}{FROM_ISSUER}/{issuer.id}",
    )


async def _keys_at(client: "OutgoingClient | None", address: str) -> int:
    from credence.outgoing.client import Call
    from credence.outgoing.connecting import CallFailed

    if client is None or not address:
        return 0
    try:
        answer = await client.call(Call("issuer_keys", "GET", address, {"Accept": "application/json"}))
        return len(usable_keys(answer.body)) if answer.status == 200 else 0
    except (CallRefused, CallFailed, InvalidInput):
        return 0


def _client(settings: Settings) -> "OutgoingClient":
    # Imported only here: most deployments make no outgoing calls.
    from credence.outgoing.client import OutgoingClient

    return OutgoingClient(outgoing_rules(settings), lambda _record: None, settings.outgoing_authorities)
