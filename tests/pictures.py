"""Takes the pictures of the README and the guides from a new sandbox: `python -m tests.pictures` (`make pictures`).

Each picture is a page in light and in dark, as WebP. `docs/pictures/contents.json` has a digest of the words and of the
style sheet of each page, without figures and dates, by which `tests/long/test_pictures.py` finds a picture that is stale.
"""

import base64
import calendar
import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, ViewportSize

from tests.browser import chromium, sign_in_by_keyboard
from tests.ports import free_port
from tests.running import RunningServer, start

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
CONTENTS = FOLDER / "contents.json"
MAX_BYTES = 150_000
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

_SIZE: ViewportSize = {"width": 1280, "height": 860}
_SCALE = 1.5
_QUALITY = 0.8
_VARYING = re.compile(
    r"\d[\d,.:]*(?: (?:s|min|h|d) ago| UTC(?: on \d+ \w+ \d{4})?)?|\b(?:" + "|".join(calendar.month_name[1:]) + r")\b"
)
_AS_WEBP = """async ([png, quality]) => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def taken(server: RunningServer) -> Iterator[tuple[str, Page]]:
    """Yield the name of each picture with a page that shows it, in each theme; the server has `CREDENCE_MANAGE_PORT`."""
    _send_scenarios(server)
    with chromium() as browser:
        for theme in THEMES:
            context = browser.new_context(
                ignore_https_errors=True, viewport=_SIZE, color_scheme=theme, device_scale_factor=_SCALE
            )
            page = context.new_page()
            page.goto(f"{server.base_url}/workbench")
            sign_in_by_keyboard(page, server.username, server.password)
            page.get_by_role("navigation").first.wait_for()
            page.goto(f"{server.base_url}/workbench/companies/{server.company_number}/score")
            yield f"report-{theme}", page
            page.goto(f"{server.base_url}/developers/log")
            if page.get_by_role("link", name="Sign in", exact=True).count():
                page.get_by_role("link", name="Sign in", exact=True).click()
            page.get_by_role("heading", name="Requests").wait_for()
            yield f"portal-{theme}", page
            context.clear_cookies()
            page.goto(f"https://localhost:{server.variables['CREDENCE_MANAGE_PORT']}/console")
            sign_in_by_keyboard(page, "operator", server.password)
            page.get_by_role("navigation").first.wait_for()
            yield f"console-{theme}", page
            context.close()


def digest_of(page: Page) -> str:
    """Return a digest of what the page says and of its style sheet; figures, dates and repeated lines do not change it."""
    lines = {_VARYING.sub("", line).strip() for line in page.inner_text("body").splitlines()}
    text = "\n".join([*sorted(lines), page.locator("style").first.text_content() or ""])
    return hashlib.sha256(text.encode()).hexdigest()


def _send_scenarios(server: RunningServer) -> None:
    """Send the first requests of the scenarios, so that the log has answers and refusals."""
    token = server.tokens()["access_token"]
    for number in ("99999901", "99999903", "99999905", server.company_number, server.company_number):
        server.report(token, number=number)
    for each in server.scenarios[1:20]:
        sent = each["send"]
        server.client.request(sent["method"], sent["path"], headers=sent.get("headers"), content=sent.get("body"))


def _as_webp(page: Page) -> bytes:
    png = base64.b64encode(page.screenshot()).decode()
    blank = page.context.new_page()
    encoded = blank.evaluate(_AS_WEBP, [png, _QUALITY])
    blank.close()
    return base64.b64decode(encoded)


def main() -> int:
    """Write the pictures and their digests; return the exit code."""
    FOLDER.mkdir(exist_ok=True)
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        server = start(path / "data", path / "output", CREDENCE_MANAGE_PORT=str(free_port()))
        try:
            for name, page in taken(server):
                picture = _as_webp(page)
                (FOLDER / f"{name}.webp").write_bytes(picture)
                found[name] = digest_of(page)
                print(f"{name}.webp: {len(picture):,} bytes")
        finally:
            server.stop()
    CONTENTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
