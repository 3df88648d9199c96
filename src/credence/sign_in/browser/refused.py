"""What a form says when a password or code was refused, or has to wait (threats A2, A5)."""

from credence.identity.login_attempts import Throttled
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.sign_in.browser import texts
from credence.sign_in.browser.durations import at_most_in_words
from credence.web.messages.answer import Answer

TOO_MANY_REQUESTS = 429
"""RFC 6585 §4."""


def problem_of(refused: Refused, wrong: str, too_many: str = texts.TOO_MANY) -> str:
    """Return the problem that the form shows; `wrong` is that of a wrong password or code, `too_many` of one that waits.

    An attempt that waits is the same for every name, known or not, so this says nothing about the account.
    """
    if isinstance(refused, Throttled):
        return too_many.format(wait=at_most_in_words(refused.wait_seconds))
    return texts.BUSY if refused.refusal is SPIKE_ARREST else wrong


def with_refusal(page: Answer, refused: Refused) -> Answer:
    """Return the page of a refused form; its status is 429, with Retry-After, if the person has to wait."""
    wait = refused.wait_seconds if isinstance(refused, Throttled) else refused.retry_after
    if wait is None:
        return page._replace(refused=refused)
    headers = (*page.headers, ("retry-after", str(wait)))
    return page._replace(status=TOO_MANY_REQUESTS, headers=headers, refused=refused)
