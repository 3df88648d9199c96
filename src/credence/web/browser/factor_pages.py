"""The pages of the second factor: ask for a code, set up an authenticator app, show the recovery codes."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import segno
from markupsafe import Markup

from credence import paths
from credence.crypto import one_time_codes
from credence.identity.factors import Enrolled
from credence.oauth.authorization.decision import SignedIn
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.browser import pages, texts
from credence.web.browser.steps import Step, write_step
from credence.web.messages.answer import Answer, Headers


async def stronger_page(
    service: Service, request: RequestContext, step: Step, person: SignedIn, headers: Headers = ()
) -> Answer:
    """Return the page with which a person who is signed in proves more: by a code, or by an app that is set up now."""
    enrolled = Enrolled.of(await service.authority.store.factors_of(person.account.username))
    if enrolled.apps:
        return second_factor_page(service, request, step, headers=headers)
    return set_up_page(service, request, step, person, required=True, headers=headers)


def second_factor_page(
    service: Service, request: RequestContext, step: Step, *, problem: str | None = None, headers: Headers = ()
) -> Answer:
    """Return the page for a code of the app or a recovery code."""
    text, fields = write_step(service, request, step)
    return pages.page(
        service.settings,
        "second-factor",
        texts.SECOND_FACTOR_TITLE,
        headers=(*fields, *headers),
        lead=texts.SECOND_FACTOR_LEAD,
        problem=problem,
        action=pages.address(service.settings, paths.SECOND_FACTOR),
        step=text,
    )


def set_up_page(
    service: Service,
    request: RequestContext,
    step: Step,
    person: SignedIn,
    *,
    required: bool = False,
    problem: str | None = None,
    headers: Headers = (),
) -> Answer:
    """Return the page that shows the key of an authenticator app and has a field for a first code."""
    username = person.account.username
    key = step.key or one_time_codes.new_key()
    text, fields = write_step(service, request, msgspec.structs.replace(step, username=username, key=key))
    uri = one_time_codes.key_uri(key, service.settings.operator_name, username)
    return pages.page(
        service.settings,
        "set-up-factor",
        texts.SET_UP_TITLE,
        headers=(*fields, *headers),
        lead=texts.SET_UP_REQUIRED if required else texts.SET_UP_LEAD,
        problem=problem,
        drawing=_drawing(uri),
        uri=uri,
        key=one_time_codes.key_text(key),
        action=pages.address(service.settings, paths.FACTORS),
        step=text,
    )


def recovery_page(
    service: Service, request: RequestContext, step: Step, codes: Sequence[str], *, headers: Headers = ()
) -> Answer:
    """Return the page that shows new recovery codes, once, and leads on."""
    text, fields = write_step(service, request, msgspec.structs.replace(step, key=b"", username=""))
    answer = pages.page(
        service.settings,
        "recovery",
        texts.RECOVERY_TITLE,
        headers=(*fields, *headers),
        lead=texts.RECOVERY_LEAD,
        codes=codes,
        action=pages.address(service.settings, paths.FACTORS),
        step=text,
    )
    return replace(answer, events=("factor_added",))


def _drawing(uri: str) -> Markup:
    """Return a QR code, black on white in the dark as well, because cameras need the contrast."""
    code = segno.make(uri, micro=False, error="m")
    return Markup(code.svg_inline(scale=4, border=4, dark="#000", light="#fff", omitsize=True))  # noqa: S704 - has no text
