"""The pages of the second factor: enter a code, set up an authenticator app, show the recovery codes."""

from collections.abc import Sequence

import msgspec
import segno
from markupsafe import Markup

from credence import paths
from credence.crypto import one_time_codes
from credence.crypto.randomness import random_bytes
from credence.identity.passkeys import CHALLENGE_BYTES
from credence.identity.sessions import CLASS_OF_POLICY, authentication_class, is_weaker
from credence.oauth.authorization.decision import SignedIn
from credence.oauth.trusted_issuers import ways
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import issuer_texts, pages, texts
from credence.sign_in.browser.authorization_pages import sign_in_page
from credence.sign_in.browser.people import browser_label
from credence.sign_in.browser.steps import Step, beginning, write_step
from credence.store.records import Application
from credence.store.trusted_issuers import TrustedIssuer
from credence.web.messages.answer import Answer, Headers


async def stronger_page(
    service: Service, request: RequestContext, step: Step, person: SignedIn, wanted: str, headers: Headers = ()
) -> Answer:
    """Return the page on which a person adds a factor to a sign-in, so that it reaches the class `wanted`.

    A person who has no such factor sets it up now, after proving another one that they have.
    """
    kinds = {each.kind for each in await service.authority.store.factors_of(person.account.username)}
    passkey = wanted == CLASS_OF_POLICY["passkey"]
    if "passkey" in kinds and (passkey or "totp" not in kinds):
        return passkey_page(service, request, step, headers=headers)
    if "totp" in kinds and is_weaker(authentication_class(person.session.methods), CLASS_OF_POLICY["factor"]):
        return second_factor_page(service, request, step, headers=headers)
    issuers = () if passkey else ways.of_account(service.authority, person.account)
    if issuers:
        return _stronger_elsewhere_page(service, request, step, issuers, headers)
    if passkey:
        return await set_up_passkey_page(service, request, step, person, required=True, headers=headers)
    return set_up_page(service, request, step, person, required=True, headers=headers)


def _stronger_elsewhere_page(
    service: Service, request: RequestContext, step: Step, issuers: Sequence[TrustedIssuer], headers: Headers
) -> Answer:
    """Return the page on which a person who signs in at a trusted issuer is to sign in there with two factors."""
    text, fields = write_step(service, request, step)
    return pages.page(
        service.settings,
        "sign-in-elsewhere",
        issuer_texts.STRONGER_TITLE,
        headers=(*fields, *headers),
        cancel="",
        lead=issuer_texts.STRONGER_ELSEWHERE.format(issuer=" or ".join(each.name for each in issuers)),
        action=pages.address(service.settings, paths.SIGN_IN),
        step=text,
        issuers=[
            (f"issuer-strongly:{each.id}", issuer_texts.SIGN_IN_WITH.format(issuer=each.name)) for each in issuers
        ],
    )


def sign_in_again_page(
    service: Service,
    request: RequestContext,
    step: Step,
    application: Application | None,
    person: SignedIn,
    *,
    problem: str | None = None,
    headers: Headers = (),
) -> Answer:
    """Return the page on which a known person signs in again: by password, or by passkey if the account needs one."""
    if person.account.sign_in == "passkey":
        return passkey_page(service, request, step, problem=problem, headers=headers)
    username = person.account.username
    return sign_in_page(
        service,
        request,
        step,
        application,
        username,
        password=True,
        problem=problem,
        headers=headers,
        account=person.account,
    )


def passkey_page(
    service: Service, request: RequestContext, step: Step, *, problem: str | None = None, headers: Headers = ()
) -> Answer:
    """Return the page that accepts only a passkey."""
    challenge = random_bytes(CHALLENGE_BYTES)
    text, fields = write_step(service, request, msgspec.structs.replace(step, challenge=challenge))
    return pages.page_with_script(
        service.settings,
        "passkey",
        texts.PASSKEY_TITLE,
        pages.passkey_script(),
        headers=(*fields, *headers),
        lead=texts.PASSKEY_LEAD,
        problem=problem,
        passkey=pages.address(service.settings, paths.PASSKEY),
        options=msgspec.json.encode(service.authority.passkeys.request(challenge)).decode(),
        step=text,
    )


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
    """Return the page that shows the key of an authenticator app and a field for its first code."""
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
    """Return the page that shows new recovery codes once, with a button to continue."""
    text, fields = write_step(service, request, beginning(step))
    answer = pages.page(
        service.settings,
        "recovery",
        texts.RECOVERY_TITLE,
        headers=(*fields, *headers),
        lead=texts.RECOVERY_LEAD,
        codes=codes,
        action=pages.address(service.settings, paths.CONTINUE),
        step=text,
    )
    return answer._replace(events=("factor_added",))


async def set_up_passkey_page(
    service: Service,
    request: RequestContext,
    step: Step,
    person: SignedIn,
    *,
    required: bool = False,
    problem: str | None = None,
    headers: Headers = (),
) -> Answer:
    """Return the page that creates a passkey on this device, or on another one that the browser can use."""
    username, challenge = person.account.username, random_bytes(CHALLENGE_BYTES)
    changed = msgspec.structs.replace(step, username=username, challenge=challenge)
    text, fields = write_step(service, request, changed)
    authority = service.authority
    existing = [each for each in await authority.store.factors_of(username) if each.kind == "passkey"]
    options = authority.passkeys.creation(person.account, existing, challenge, service.settings.operator_name)
    return pages.page_with_script(
        service.settings,
        "set-up-passkey",
        texts.PASSKEY_SET_UP_TITLE,
        pages.passkey_script(),
        headers=(*fields, *headers),
        lead=texts.PASSKEY_REQUIRED if required else texts.PASSKEY_SET_UP_LEAD,
        problem=problem,
        options=msgspec.json.encode(options).decode(),
        name=browser_label(request.headers.get("user-agent", "")),
        action=pages.address(service.settings, paths.FACTORS),
        step=text,
    )


def _drawing(uri: str) -> Markup:
    """Return a QR code, black on white also on dark pages, because cameras need the contrast."""
    code = segno.make(uri, micro=False, error="m")
    return Markup(code.svg_inline(scale=4, border=4, dark="#000", light="#fff", omitsize=True))  # noqa: S704 - contains no text
