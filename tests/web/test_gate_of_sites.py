"""The gate of the sites, from the tables of their screens and acts (D30, threats E11, E12).

Each act is sent in each combination of a session that is weaker than the policy of the site, a network that the rules of the
account exclude, a form of another session, and a sign-in of eleven minutes ago.
"""

import itertools
import re
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest

from credence.access.rules import AccessRules
from credence.identity.sessions import session_key
from credence.management import site_applications
from credence.sites.console.table import CONSOLE
from credence.sites.developers.site import DEVELOPERS
from credence.sites.kit.screen import Site
from credence.sites.kit.session import form_token
from credence.sites.workbench.site import WORKBENCH
from tests.console.conftest import console_of
from tests.deployment import NOW, Deployment, deployed
from tests.sign_in.browsing import FORM
from tests.web.test_gate import ALLOWED, ELSEWHERE, OLD_MS, STRONG, WEAK, opened, state


@pytest.mark.parametrize("site", [CONSOLE, DEVELOPERS, WORKBENCH], ids=lambda site: site.name)
async def test_no_screen_of_a_site_is_read_and_no_act_done_by_a_person_who_lacks_what_it_needs(
    tmp_path: Path, site: Site
) -> None:
    """The person has every right on the site; its application needs a second factor and the account allows one network."""
    async with deployed(tmp_path, manage_port=8444) as main, console_of(main) as console:
        await with_all_rights(main, site)
        node = console.apart if site is CONSOLE else main
        names = {"client_id": main.application.client_id, "username": "ada", "operation": "company_report"}
        for screen in site.screens:
            path = re.sub(r"{(\w+)}", lambda found: names.get(found[1], "none"), screen.path)
            for act in (None, *screen.acts):
                for weak, network, foreign, old in itertools.product((False, True), repeat=4):
                    needs_recent = act is not None and act.needs_recent_sign_in
                    if not (weak or network or (old and needs_recent) or (foreign and act is not None)):
                        continue
                    cookie = await opened(
                        main, "ada", WEAK if weak else STRONG, OLD_MS if old else 0, site.application.site
                    )
                    found = await main.store.session(key_of(main, cookie, site))
                    assert found is not None
                    token = "" if foreign else form_token(site, main.service, found)
                    before = state(main.memory)
                    reply = await node.send(
                        "GET" if act is None else "POST",
                        path,
                        [FORM, ("Cookie", f"__Host-credence-{site.name}={cookie}")],
                        b"" if act is None else urlencode({"token": token, "act": act.name}).encode(),
                        ELSEWHERE if network else ALLOWED,
                    )
                    said = (path, act and act.name, weak, network, foreign, old)
                    assert state(main.memory) == before, said
                    expected = 400 if foreign and act is not None and not (weak or network) else 403
                    assert reply.status == expected, (said, reply)


async def with_all_rights(main: Deployment, site: Site) -> None:
    """Register the site, and give ada all rights on it, a policy for its people and a network."""
    await site_applications.register_site(main.store, main.service.settings, site.application, NOW)
    registered = await main.store.application(site.application.client_id(main.service.settings))
    assert registered is not None
    changed = msgspec.structs.replace(registered, sign_in="factor", version=registered.version + 1)
    await main.store.save_application(changed, NOW)
    rules = AccessRules(networks=(f"{ALLOWED}/32",))
    client_id = main.application.client_id
    await main.change_account(rules=rules, console_role="owner", developer=True, workbench_for=client_id)
    await main.change_application(owner="ada")


def key_of(main: Deployment, cookie: str, site: Site) -> bytes:
    return session_key(main.service.authority.secrets.refresh, cookie, site.application.site)
