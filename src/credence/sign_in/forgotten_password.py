"""GET and POST /account/forgotten-password: a person requests a link with which to choose a password (ASVS 6.4.3).

The answer is the same for every name, known or not, and so is what is done for it: the request is counted and stored, and
the account is read when the message is sent (threats A1, A2).
"""

from credence import paths
from credence.identity.counted_check import placed
from credence.identity.login_attempts import Throttled
from credence.identity.message_limits import message_rules
from credence.identity.usernames import login_name
from credence.mail.message import ResetLink, delivery_of
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.forms import form_values
from credence.sign_in.browser.people import browser_known_to
from credence.sign_in.browser.refused import problem_of, with_refusal
from credence.sign_in.browser.steps import Step, read_step, visitor_digest, write_step
from credence.sign_in.sign_in import MAX_NAME_CHARACTERS
from credence.web.messages.answer import Answer


async def forgotten_password(service: Service, request: RequestContext) -> Answer:
    """Forgotten password.

    The page on which a person requests a link for a new password; without a mail relay it says whom to ask.
    """
    return _form(service, request)


async def submit_forgotten_password(service: Service, request: RequestContext) -> Answer:
    """Form of the page for a forgotten password.

    Stores the request, from which a message follows if there is an account of this name with a mail address. For the page
    alone.
    """
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    if step.target != "forgotten-password" or not service.settings.mail_relay:
        raise Refused(STEP_LOST, "step.unknown")
    typed = values.get("username", "").strip()[:MAX_NAME_CHARACTERS]
    if not typed:
        return _form(service, request, problem=texts.USERNAME_MISSING)
    authority, now, name = service.authority, request.now, login_name(typed)
    key, browser = authority.secrets.digest, browser_known_to(service, request, name)
    rules = message_rules(key, "reset", name, request.address_prefix, browser)
    try:
        await placed(authority.store, rules, SPIKE_ARREST, now)
    except Throttled as refused:
        return with_refusal(_form(service, request, typed, problem_of(refused, "")), refused)
    message = ResetLink(name, visitor_digest(service, request), now)
    await authority.store.add_deliveries([delivery_of(key, message, name, now)])
    return pages.page(
        service.settings,
        "message",
        texts.CHECK_MAIL,
        lead=texts.RESET_SENT.format(username=typed, support=texts.support(service.settings.support_email)),
        events=("password_reset_requested",),
    )


def _form(service: Service, request: RequestContext, typed: str = "", problem: str | None = None) -> Answer:
    settings = service.settings
    if not settings.mail_relay:
        lead = texts.RESET_BY_SUPPORT.format(support=texts.support(settings.support_email))
        return pages.page(settings, "message", texts.FORGOTTEN, lead=lead)
    text, fields = write_step(service, request, Step("forgotten-password", arrived_at=request.now))
    return pages.page(
        settings,
        "forgotten-password",
        texts.FORGOTTEN,
        headers=fields,
        lead=texts.RESET_LEAD,
        problem=problem,
        username=typed,
        action=pages.address(settings, paths.FORGOTTEN_PASSWORD),
        step=text,
    )
