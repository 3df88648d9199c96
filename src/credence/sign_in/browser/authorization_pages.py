"""The two pages before the answer to an authorization request: sign-in and consent."""

import msgspec

from credence import paths
from credence.access.report_rights import ReportRights
from credence.crypto.randomness import random_bytes
from credence.identity.applications import is_unverified
from credence.identity.passkeys import CHALLENGE_BYTES
from credence.oauth.authorization.redirect_uris import host_of, is_local, place_of
from credence.oauth.authorization.request import AuthorizationRequest
from credence.oauth.authorization.sources import redirect_uri_of
from credence.oauth.client_id_urls import host_of_client
from credence.oauth.parameters.scopes import OFFLINE_ACCESS
from credence.oauth.trusted_issuers import ways
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import issuer_texts, pages, texts
from credence.sign_in.browser.application_of_step import name_in_heading, name_in_text, without_marks
from credence.sign_in.browser.durations import in_words
from credence.sign_in.browser.forms import indexed
from credence.sign_in.browser.steps import Step, write_step
from credence.store.records import Account, Application
from credence.web.messages.answer import Answer, Headers


def sign_in_page(
    service: Service,
    request: RequestContext,
    step: Step,
    application: Application | None,
    username: str,
    *,
    password: bool = False,
    problem: str | None = None,
    headers: Headers = (),
    account: Account | None = None,
) -> Answer:
    """Return the sign-in page, with the login name that was entered and the problem with it.

    If there are trusted issuers, it has a button for each at which people may sign in to the application; without the
    fields for issuers that are the only ways, and for that of `account`, whose person is known.

    The first page takes a passkey or a login name; with `password` it has a password field as well. Both are the same
    for every name, known or not, and no row is read for them (threats A1).
    """
    challenge = random_bytes(CHALLENGE_BYTES)
    text, fields = write_step(service, request, msgspec.structs.replace(step, challenge=challenge))
    lead, cancel = None, ""
    if application is not None:
        uri = redirect_uri_of(service.authority, application, indexed(step.query), step.arrived_at)
        name = name_in_text(application)
        lead = texts.FOR_APPLICATION.format(application=name, host=host_of(uri or ""))
        cancel = texts.CANCEL.format(application=name)
    title = texts.SIGN_IN_TO.format(operator=service.settings.operator_name)
    script = pages.sign_in_script() if password else pages.passkey_script()
    options = msgspec.json.encode(service.authority.passkeys.request(challenge)).decode()
    issuers, alone = _issuers(service, application, account) if service.authority.issuers else ([], False)
    if not password and problem is None and not issuers:
        shown = {"step": text, "username": username, "options": options}
        return pages.first_page(
            service.settings, title, script, headers=(*fields, *headers), lead=lead, cancel=cancel, **shown
        )
    return pages.page_with_script(
        service.settings,
        "sign-in-elsewhere" if alone else "sign-in" if password else "sign-in-name",
        title,
        script,
        headers=(*fields, *headers),
        lead=lead,
        cancel=cancel,
        problem=problem,
        action=pages.address(service.settings, paths.SIGN_IN),
        forgotten=pages.address(service.settings, paths.FORGOTTEN_PASSWORD),
        passkey=pages.address(service.settings, paths.PASSKEY),
        options=options,
        step=text,
        username=username,
        issuers=issuers,
    )


def _issuers(
    service: Service, application: Application | None, account: Account | None
) -> tuple[list[tuple[str, str]], bool]:
    """Return what the buttons of trusted issuers send and say, and whether there is no other way to sign in."""
    authority = service.authority
    offered = ways.offered(authority, application)
    own = ways.of_account(authority, account) if account is not None else ()
    alone = [each for each in own if application is None or each in offered] or ways.only_ones(authority, application)
    found = alone or offered
    buttons = [(f"issuer:{each.id}", issuer_texts.SIGN_IN_WITH.format(issuer=each.name)) for each in found]
    return buttons, bool(alone)


def consent_page(
    service: Service,
    request: RequestContext,
    step: Step,
    application: Application,
    found: AuthorizationRequest,
    account: Account,
    headers: Headers,
) -> Answer:
    """Return the consent page: the application, the scopes, the end of the access, and the redirect URI (ASVS 10.7.1)."""
    text, fields = write_step(service, request, step)
    host, scopes = host_of(found.redirect_uri), found.scope.split()
    seconds = application.refresh_token_lifetime or service.settings.refresh_token_lifetime_seconds
    lifetime = texts.CONSENT_LIFETIME_OFFLINE if OFFLINE_ACCESS in scopes else texts.CONSENT_LIFETIME
    return pages.page(
        service.settings,
        "consent",
        texts.CONSENT_TITLE.format(application=name_in_heading(application)),
        headers=(*fields, *headers),
        lead=texts.CONSENT_LEAD.format(application=name_in_text(application), host=host, username=account.username),
        scopes=[texts.SCOPES[scope] for scope in scopes],
        rights="" if found.rights is None else _rights_in_words(service, found.rights),
        lifetime=lifetime.format(lifetime=in_words(seconds)),
        links=links_of(application),
        warnings=_warnings(service, application, found),
        document=application.document_digest.hex(),
        action=pages.address(service.settings, paths.CONSENT),
        step=text,
    )


def _rights_in_words(service: Service, rights: ReportRights) -> str:
    """Return the rights as one sentence, with the names of the companies that the register knows."""
    parts = []
    if rights.companies:
        companies = [_name_and_number(service, number) for number in rights.companies]
        parts.append(texts.CONSENT_REPORTS_ON.format(companies=", ".join(companies)))
    if rights.count is not None:
        parts.append(texts.CONSENT_REPORTS_COUNT.format(count=rights.count))
    if rights.until is not None:
        parts.append(texts.CONSENT_REPORTS_UNTIL.format(until=f"{rights.until.day} {rights.until:%B %Y}"))
    if rights.purpose:
        parts.append(texts.CONSENT_REPORTS_PURPOSE.format(purpose=without_marks(rights.purpose)))
    return texts.CONSENT_REPORTS.format(rights=", ".join(parts))


def _name_and_number(service: Service, number: str) -> str:
    company = service.reports.company(number)
    return number if company is None or company.register is None else f"{company.register.value.name} ({number})"


def _warnings(service: Service, application: Application, found: AuthorizationRequest) -> list[str]:
    """Return warnings: of an unverified client, and of a redirect URI that another program on the device could receive."""
    warnings, operator = [], service.settings.operator_name
    if application.document_digest:
        host = host_of_client(application.client_id)
        warnings.append(texts.CONSENT_UNVERIFIED.format(host=host, operator=operator))
    elif is_unverified(application):
        warnings.append(texts.CONSENT_SELF_REGISTERED.format(operator=operator))
    if is_local(found.redirect_uri):
        warnings.append(texts.CONSENT_WARNING.format(place=place_of(found.redirect_uri)))
    return warnings


def links_of(application: Application) -> list[tuple[str, str]]:
    """Return the addresses of an application's policy and terms, each with its link text."""
    pairs = ((application.policy_uri, texts.POLICY), (application.terms_uri, texts.TERMS))
    return [(uri, text.format(application=application.name)) for uri, text in pairs if uri is not None]
