"""CSV files in the workbench: what browsers send of them, what spreadsheets write into them, and bodies that are no form."""

import httpx
import pytest

from tests.deployment import Reply
from tests.workbench.conftest import OTHER, PLAIN, Desk, text_of
from tests.workbench.test_lists import with_list

LINES = f"company_number,exposure,note\r\n{PLAIN},9000,Café £5\r\n{OTHER},,\r\nxyz,1,\r\n"


async def upload(reader: Desk, path: str, act: str, file: bytes, **fields: str) -> Reply:
    """Send a form with a file as httpx writes it, which is an implementation of RFC 7578 that is not ours."""
    hidden = (await reader.browser.get(path)).body.decode().partition('name="token" value="')[2].partition('"')[0]
    data = {"token": hidden, "act": act, **fields}
    sent = httpx.Request(
        "POST", "https://x", data=data, files={"file": ('"=1\r\n;.csv', file, "application/vnd.ms-excel")}
    )
    return await raw(reader, path, sent.headers["content-type"], sent.read())


async def raw(reader: Desk, path: str, content_type: str, body: bytes) -> Reply:
    cookies = "; ".join(f"{name}={value}" for name, value in reader.cookies.items())
    return await reader.deployment.send("POST", path, [("Cookie", cookies), ("Content-Type", content_type)], body)


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "cp1252"])
async def test_a_file_gets_a_result_for_each_row_in_the_codings_of_spreadsheets(desk: Desk, coding: str) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    assert 'enctype="multipart/form-data"' in (await reader.get(address)).body.decode()
    page = await upload(reader, address, "import", LINES.encode(coding), rows="")
    assert "2 added, 1 refused" in text_of(page)
    kept = await desk.store.watched(address.rpartition("/")[2], "", 5)
    assert {each.company: each.note for each in kept} == {PLAIN: "Café £5", OTHER: ""}


async def test_decisions_on_many_take_a_file_too_and_no_form_takes_both(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    both = await upload(reader, address, "import", LINES.encode(), rows=PLAIN)
    assert (both.status, 'id="import-file-wrong"' in both.body.decode()) == (422, True)
    assert PLAIN in both.body.decode()  # what was pasted is not lost
    neither = await upload(reader, address, "import", b"", rows="")
    assert (neither.status, 'id="import-rows-wrong"' in neither.body.decode()) == (422, True)
    assert await desk.store.count_watched(address.rpartition("/")[2]) == 0
    decided = await upload(reader, "/workbench/decisions", "many", b"\x00", rows="", policy="none")
    assert decided.status == 400


async def test_a_file_that_is_sent_after_the_session_leads_to_the_sign_in_and_back(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    desk.deployment.now += 13 * 3_600_000
    sent = await raw(reader, address, 'multipart/form-data; boundary="b"', PART + b"--b--\r\n")
    assert (sent.status, "/workbench/sign-in" in sent.headers["location"]) == (303, True)
    reader.browser._keep(sent)
    page = await reader.browser.come(address, "grace")
    assert "nothing was changed. Submit the form again." in text_of(page)
    assert await desk.store.count_watched(address.rpartition("/")[2]) == 0


BOUNDARY = 'multipart/form-data; boundary="b"'
PART = b'--b\r\nContent-Disposition: form-data; name="act"\r\n\r\nimport\r\n'


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data", PART + b"--b--\r\n"),
        (BOUNDARY, b""),
        (BOUNDARY, PART),
        (BOUNDARY, PART + PART + b"--b--\r\n"),
        (BOUNDARY, b"before\r\n" + PART + b"--b--\r\n"),
        (BOUNDARY, PART * 30 + b"--b--\r\n"),
        (BOUNDARY, b"--b\r\n\r\nimport\r\n--b--\r\n"),
        (BOUNDARY, b'--b\r\nContent-Disposition: form-data; name=""\r\n\r\nx\r\n--b--\r\n'),
        (BOUNDARY, PART.replace(b"import", b"\xff") + b"--b--\r\n"),
        (BOUNDARY, PART.replace(b"form-data", b"attachment") + b"--b--\r\n"),
        (BOUNDARY, PART.replace(b"act", b"a" * 2_000) + b"--b--\r\n"),
    ],
)
async def test_a_body_that_is_no_such_form_is_refused_as_a_page(desk: Desk, content_type: str, body: bytes) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    assert (await raw(reader, address, content_type, body)).status == 400
    assert (await raw(reader, "/workbench/lists", content_type, body)).status == 400  # a screen that takes no file


async def test_a_file_beyond_the_limit_changes_nothing(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    page = await upload(reader, address, "import", f"{PLAIN},1\r\n".encode() * 400_000, rows="")
    assert page.status in (400, 401, 413)
    assert await desk.store.count_watched(address.rpartition("/")[2]) == 0
