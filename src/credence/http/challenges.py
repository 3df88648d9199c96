"""What WWW-Authenticate says of a refusal (D9, D20, RFC 6749 §5.2, RFC 6750 §3, RFC 9728 §5.1)."""

from credence.http.answer import Headers
from credence.http.dialects.writer import Voice
from credence.http.exchange import Exchange
from credence.http.route import Protection, Route
from credence.oauth.protected_resource import metadata_url
from credence.refusals import (
    AUTHENTICATION_FAILED,
    BEARER_MALFORMED,
    INSUFFICIENT_SCOPE,
    INVALID_TOKEN,
    WRONG_CLIENT,
    Refused,
)
from credence.settings import Settings

_NAME = "www-authenticate"


def challenges(exchange: Exchange, refused: Refused, settings: Settings) -> Headers:
    """Return the fields to be added: none where authenticating anew would not help."""
    route = exchange.route
    if route is not None and route.protection is Protection.BEARER:
        return _of_bearer(route, refused, settings)
    if refused.refusal is WRONG_CLIENT and exchange.speaking is Voice.STANDARD:
        return ((_NAME, 'Basic realm="credence"'),)
    return ()


def _of_bearer(route: Route, refused: Refused, settings: Settings) -> Headers:
    """Say nothing of an error to one who showed no token (RFC 6750 §3.1), but where to learn which opens this resource."""
    match refused.refusal:
        case refusal if refusal is AUTHENTICATION_FAILED:
            where = metadata_url(settings.token_audience)
            return ((_NAME, f'Bearer resource_metadata="{where}"' if where else "Bearer"),)
        case refusal if refusal is BEARER_MALFORMED:
            return ((_NAME, 'Bearer error="invalid_request"'),)
        case refusal if refusal is INVALID_TOKEN:
            return ((_NAME, 'Bearer error="invalid_token"'),)
        case refusal if refusal is INSUFFICIENT_SCOPE:
            return ((_NAME, f'Bearer error="insufficient_scope", scope="{route.scope}"'),)
    return ()
