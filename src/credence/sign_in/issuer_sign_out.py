"""Signing out at the trusted issuer at which a session began, and the way back (OpenID Connect RP-Initiated Logout 1.0)."""

from urllib.parse import urlencode

from credence.crypto.sealing import Unsealable, unseal
from credence.oauth.authorization.request import Pairs
from credence.oauth.trusted_issuers.secrets import hint_name, sealing
from credence.oauth.trusted_issuers.signing_in import NotSignedInThere, metadata_of, redirect_uri
from credence.oauth.trusted_issuers.ways import named
from credence.paths import SIGNED_OUT_THERE
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import issuer_texts, pages, texts
from credence.sign_in.browser.forms import parameters_of, query_pairs, written
from credence.sign_in.browser.steps import Step, read_step, write_step
from credence.store.trusted_issuers import IssuerSession, TrustedIssuer
from credence.telemetry.log import warning
from credence.web.messages.answer import Answer, Headers
from credence.web.routing.operation import Parameter

MAX_HINT_CHARACTERS = 6_000
"""Of an ID token in an address. Some servers refuse longer addresses, and §2 of the specification needs no hint."""

STATE = (
    Parameter("id", "path", "The short name of the issuer.", "example-ltd"),
    Parameter("state", "query", "What the issuer was given."),
)


async def session_there(service: Service, key: bytes) -> tuple[TrustedIssuer, IssuerSession] | None:
    """Return the issuer at which people sign out with this session, and the session there; None for no such issuer."""
    if not any(each.signs_out_there for each in service.authority.issuers):
        return None
    begun = await service.authority.store.issuer_session(key)
    issuer = named(service.authority, begun.owner) if begun is not None else None
    return (issuer, begun) if begun is not None and issuer is not None and issuer.signs_out_there else None


async def leave_to_sign_out(
    service: Service,
    request: RequestContext,
    there: tuple[TrustedIssuer, IssuerSession],
    pairs: Pairs,
    headers: Headers,
) -> Answer:
    """Return the page that leads to the issuer after the session here has ended; `pairs` come back with the browser.

    If the issuer does not say where people sign out, or does not answer, the page says that the session there goes on.
    """
    issuer, begun = there
    try:
        metadata = await metadata_of(service.authority, issuer, request.now)
        end = metadata.end_session_endpoint
        hint = unseal(sealing(service.authority.secrets.digest), hint_name(issuer.id), begun.hint).decode()
    except (NotSignedInThere, Unsealable) as failed:
        warning("issuer_sign_out_failed", issuer=issuer.id, reason=str(failed))
        end = hint = ""
    if not end:
        lead = issuer_texts.STILL_SIGNED_IN.format(issuer=issuer.name)
        return pages.page(service.settings, "message", texts.SIGNED_OUT_TITLE, headers=headers, lead=lead)
    state, fields = write_step(service, request, Step("sign-out", written(pairs), request.now, issuer=issuer.id))
    parameters = {
        **({"id_token_hint": hint} if len(hint) <= MAX_HINT_CHARACTERS else {}),
        "client_id": issuer.client_id,
        "post_logout_redirect_uri": f"{redirect_uri(service.authority, issuer)}{SIGNED_OUT_THERE}",
        "state": state,
    }
    url = f"{end}{'&' if '?' in end else '?'}{urlencode(parameters)}"
    return pages.page(
        service.settings,
        "back",
        texts.SIGNED_OUT_TITLE,
        headers=(("refresh", f"0; url={url}"), *fields, *headers),
        lead=issuer_texts.SIGNING_OUT_THERE.format(issuer=issuer.name),
        url=url,
    )


def request_before(service: Service, request: RequestContext) -> Pairs:
    """Return the parameters with which this browser left for the issuer.

    Raises Refused for a browser that did not.
    """
    step = read_step(service, request, dict(query_pairs(request)).get("state"), from_elsewhere=True)
    if step.target != "sign-out" or not step.issuer or step.issuer != request.segments[0]:
        raise Refused(STEP_LOST, "step.unknown")
    return parameters_of(step.query)
