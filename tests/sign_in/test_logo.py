"""The operator's logo on the pages for people: shown from our own address, checked at the start, harmless by itself."""

import base64
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from credence.settings import Settings
from tests.deployment import OpenDeployment
from tests.sign_in.browsing import ACCOUNT, Browser

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A single point."""
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0/\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF"


async def test_the_pages_show_the_logo_with_the_name_of_the_operator(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    light, dark = tmp_path / "light.png", tmp_path / "dark.webp"
    light.write_bytes(PNG)
    dark.write_bytes(WEBP)
    deployment = await open_deployment(logo_file=light, logo_file_dark=dark, operator_name='Ledger "&" Sons')
    page = await Browser(deployment).get(ACCOUNT)
    text = page.body.decode()
    found = re.search(r'<img src="(/logo/[^"]+)" alt="Ledger &#34;&amp;&#34; Sons"', text)
    beside = re.search(r'<source srcset="(/logo/[^"]+)" media="\(prefers-color-scheme: dark\)">', text)
    assert found is not None
    assert beside is not None
    assert "img-src 'self'" in page.headers["content-security-policy"]
    for address, media_type, data in ((found[1], "image/png", PNG), (beside[1], "image/webp", WEBP)):
        picture = await deployment.send("GET", address)
        assert (picture.status, picture.headers["content-type"], picture.body) == (200, media_type, data)
        assert picture.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert picture.headers["x-content-type-options"] == "nosniff"
        assert picture.headers["content-security-policy"] == "default-src 'none'; sandbox"
        assert (await deployment.send("HEAD", address)).status == 200
    assert (await deployment.send("GET", "/logo/another")).status == 404


async def test_another_picture_has_another_address(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    addresses = []
    for number, data in enumerate((PNG, JPEG)):
        file = tmp_path / f"{number}.picture"
        file.write_bytes(data)
        page = await Browser(await open_deployment(tmp_path / str(number), logo_file=file)).get(ACCOUNT)
        addresses += re.findall(rb'<img src="([^"]+)"', page.body)
    assert len(set(addresses)) == 2


async def test_without_a_logo_nothing_may_be_loaded(open_deployment: OpenDeployment) -> None:
    deployment = await open_deployment()
    page = await Browser(deployment).get(ACCOUNT)
    assert b"<img" not in page.body
    assert "img-src" not in page.headers["content-security-policy"]
    assert (await deployment.send("GET", "/logo/any")).status == 404


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "neither PNG nor JPEG nor WebP"),
        (b"RIFF\x1a\0\0\0WAVEfmt ", "neither PNG nor JPEG nor WebP"),
        (b"", "neither PNG nor JPEG nor WebP"),
        (PNG + bytes(100_000), "has more than 100 KB"),
        (None, "cannot be read"),
    ],
    ids=["svg", "sound", "empty", "large", "missing"],
)
def test_a_file_that_is_no_such_picture_is_refused_at_the_start(tmp_path: Path, data: bytes | None, said: str) -> None:
    file = tmp_path / "logo"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(ValidationError, match=said):
        Settings.model_validate({"logo_file": file})
