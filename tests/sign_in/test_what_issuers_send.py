"""What providers send that is unusual, and signs people in nevertheless."""

from pathlib import Path

from joserfc.jwk import ECKey

from tests.deployment import OpenDeployment
from tests.sign_in.browsing import ACCOUNT, Browser
from tests.sign_in.employer import employing, sign_in_there

JANE = "jane@employer.example"


async def test_a_name_of_a_session_that_no_store_can_hold_is_no_name(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """PostgreSQL has no text with NUL."""
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        employer.claims["sid"] = "a\x00b"
        browser = Browser(deployment)
        await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        (session,) = await deployment.store.sessions_of(JANE)
        begun = await deployment.store.issuer_session(session.key)
        assert begun is not None
        assert begun.sid == ""


async def test_the_key_of_a_provider_is_found_among_many(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    """Large providers publish a dozen keys in one set."""
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        employer.other_keys = [ECKey.generate_key("P-256", parameters={"kid": f"other-{each}"}) for each in range(12)]
        browser = Browser(deployment)
        await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        assert JANE.encode() in (await browser.get(ACCOUNT)).body
