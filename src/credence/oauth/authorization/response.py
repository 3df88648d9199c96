"""The parameters of an authorization response, plain or as a signed JWT (RFC 9207, JARM)."""

import msgspec

from credence.clock import Milliseconds
from credence.crypto.jws import sign
from credence.oauth.authority import Authority
from credence.oauth.authorization.request import ReturnAddress
from credence.store.records import Application

LIFETIME_SECONDS = 120
"""The lifetime of a signed response: longer than that of the code in it (JARM §2.1 recommends at most ten minutes)."""

TYPE = "JWT"


def response_parameters(
    authority: Authority, application: Application, to: ReturnAddress, fields: list[tuple[str, str]], now: Milliseconds
) -> list[tuple[str, str]]:
    """Return the parameters of the answer: `fields` with `state` and `iss`, or one JWT that contains them (JARM §2.1).

    The JWT is signed with the algorithm of the application's ID tokens; the default of both is RS256 (JARM §3).
    """
    if to.state is not None:
        fields = [*fields, ("state", to.state)]
    issuer = authority.settings.issuer
    if not to.signed:
        return [*fields, ("iss", issuer)]
    claims = {"iss": issuer, "aud": application.client_id, "exp": now // 1000 + LIFETIME_SECONDS, **dict(fields)}
    key = authority.id_token_key(application.id_token_algorithm, now)
    return [("response", sign(key, TYPE, msgspec.json.encode(claims)))]
