"""The operator's colours on the pages for people: applied, allowed by the policy, and readable (WCAG 2.2, 1.4.3)."""

import base64
import hashlib
import re

import pytest
from pydantic import ValidationError

from credence.settings import Settings
from tests.deployment import Deployment
from tests.sign_in.browsing import ACCOUNT, Browser


@pytest.mark.settings(accent_colour="#7A1F5C", accent_colour_dark="#e9a6d0")
async def test_the_pages_have_the_colours_of_the_operator_and_the_policy_allows_their_style(
    deployment: Deployment,
) -> None:
    page = await Browser(deployment).get(ACCOUNT)
    style = re.search(rb"<style>(.*?)</style>", page.body, re.DOTALL)
    assert style is not None
    assert b"--accent:#7a1f5c" in style[1]
    assert b"--accent:#e9a6d0" in style[1]
    digest = base64.b64encode(hashlib.sha256(style[1]).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("name", "colour", "said"),
    [
        ("accent_colour", "#777777", "contrast of 4.3 with #fbfaf7"),
        ("accent_colour", "#ffff00", "contrast of 1.0"),
        ("accent_colour_dark", "#1f5f5b", "contrast of 2.2 with #1b2027"),
        ("accent_colour", "red", "must be a colour"),
        ("accent_colour", "#fff;}body{display:none", "must be a colour"),
    ],
)
def test_a_colour_that_cannot_be_read_is_refused(name: str, colour: str, said: str) -> None:
    """The contrasts by the formula of WCAG 2.2; #777777 on white is its best-known case, with 4.48."""
    with pytest.raises(ValidationError, match=said):
        Settings.model_validate({name: colour})
