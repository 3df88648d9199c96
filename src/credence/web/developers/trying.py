"""Try it: a request to the credit API with a token of the developer's own application, in the sandbox alone."""

import re
from collections.abc import Mapping
from typing import Final

from credence import paths
from credence.identity.applications import application_time
from credence.oauth.grants.client_credentials import CLIENT_CREDENTIALS
from credence.oauth.grants.grant import Login
from credence.oauth.issue import TokenOptions
from credence.sandbox.examples import COMPANY_NUMBER
from credence.settings import Environment
from credence.web.developers.own import NEW, own_applications
from credence.web.developers.sending import send, shown
from credence.web.screens.blocks import Block, Field, Form, Links, Note, Page
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong
from credence.web.screens.trail import record

TRY: Final = paths.DEVELOPERS_TRY

_FIRST: Final = f"{paths.report('v1')}/{COMPANY_NUMBER}"

_TARGET = re.compile(r"/risk/business/[!-~]{1,400}").fullmatch


async def read(visit: Visit) -> Page:
    """Return the form, with the address that the query names."""
    return await _page(visit)


async def _page(visit: Visit, target: str = "", client_id: str = "", *answers: Block) -> Page:
    if visit.service.settings.environment is not Environment.SANDBOX:
        return Page("Try it", [Note("Requests are sent from here in the sandbox alone.")], "")
    machines = [each for each in await own_applications(visit) if CLIENT_CREDENTIALS.name in each.grants]
    if not machines:
        text = "It takes an application of the kind Machine, with whose token the request is sent."
        return Page("Try it", [Note(text), Links("First", [("Create an application", NEW)])], "")
    form = Form(
        "send",
        "GET",
        "Send it",
        "It is sent with a token of your application; the log has it afterwards.",
        fields=[
            Field("client_id", "Application", client_id, options=[(each.client_id, each.name) for each in machines]),
            Field("target", "Path and query", target or visit.asked("target") or _FIRST, hint="As in the reference."),
        ],
    )
    links = Links("Read on", [("Reference", paths.DOCS), ("Log", f"{paths.DEVELOPERS}/log")])
    return Page("Try it", [form, *answers, links], "")


async def send_it(visit: Visit, values: Mapping[str, str]) -> Done:
    """Send the request with a new token, which is shown nowhere."""
    service, target = visit.service, values.get("target", "").strip()
    own = {each.client_id: each for each in await own_applications(visit)}
    chosen = own.get(values.get("client_id", ""))
    if chosen is None or CLIENT_CREDENTIALS.name not in chosen.grants or chosen.disabled:
        raise Wrong("Choose one of your applications that is enabled.", "client_id")
    if service.settings.environment is not Environment.SANDBOX:
        raise Wrong("Requests are sent from here in the sandbox alone.")
    if not _TARGET(target):
        raise Wrong(f"A path of the credit API begins with /risk/business/, such as {_FIRST}.", "target")
    await record(visit, "try", application=chosen.client_id)
    issued = await CLIENT_CREDENTIALS.issue(
        service.authority, chosen, Login(None), TokenOptions(), application_time(chosen, visit.request.now)
    )
    answered = await send(visit, "GET", target, {"authorization": f"Bearer {issued.access_token}"})
    page = await _page(visit, target, chosen.client_id, shown(answered))
    return Done(f"GET {target}: {answered.status}", page=page)


TRYING = Screen(TRY, "Try it", "developer", read, (Act("send", "developer", send_it),))
