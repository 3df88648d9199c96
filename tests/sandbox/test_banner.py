"""The banner: a newcomer pastes its lines into a shell and they work (D18)."""

import json
import re
import subprocess
from pathlib import Path

from credence.sandbox import banner, sandbox_file
from tests.conftest import StartServer
from tests.running import RunningServer

BLOCK = re.compile(r"^# (?P<title>.+)\n(?P<lines>(?:.+\n)+)", re.MULTILINE)


def printed_blocks(server: RunningServer) -> dict[str, str]:
    return {found["title"]: found["lines"] for found in BLOCK.finditer(server.output.read_text())}


def paste(*lines: str, folder: Path | None = None) -> list[str]:
    """Run the lines in one shell, in a folder, and return what it printed."""
    shell = subprocess.run(
        ["bash", "-eu"],
        input="\necho\n".join(lines),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
        cwd=folder,
    )
    return [line for line in shell.stdout.splitlines() if line]


def test_the_printed_lines_get_open_keep_refresh_revoke_and_list(sandbox: RunningServer, tmp_path: Path) -> None:
    blocks = printed_blocks(sandbox)
    assert len(blocks) == 8
    printed = map(json.loads, paste(*blocks.values(), folder=tmp_path))
    token, report, real, refreshed, revoked, standard, scenarios = printed
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert token["token_type"] == "Bearer"
    assert report["RegNumber"] == sandbox.company_number
    for scored in (report, real):
        assert scored["Assessment"]["Score"]["Band"] in "ABCDE"
    assert "Specimen" not in real["Assessment"]
    assert refreshed["access_token"] != token["access_token"]
    assert revoked == {}
    assert standard["expires_in"] == 10_800  # a number, as RFC 6749 §5.1 has it
    assert len(scenarios["scenarios"]) == len(sandbox.scenarios)


def test_what_was_revoked_opens_no_report_any_more(sandbox: RunningServer) -> None:
    blocks = printed_blocks(sandbox)
    get, open_report, _, _, _, revoke, *_ = blocks.values()
    *_, after = map(json.loads, paste(get, revoke, open_report))
    assert after["errors"] == [{"errorType": "Unauthorized", "message": "Access token is Invalid."}]


def test_the_banner_names_address_authority_and_credentials(sandbox: RunningServer) -> None:
    text = sandbox.output.read_text()
    for fact in (
        sandbox.base_url,
        str(sandbox.ca_file),
        sandbox.client_id,
        sandbox.client_secret,
        sandbox.username,
        sandbox.password,
        sandbox.service_username,
        sandbox.service_password,
        str(sandbox.data_dir / "sandbox.json"),
    ):
        assert re.search(rf"\s{re.escape(fact)}\n", text), fact


def test_the_lines_work_in_a_folder_whose_name_has_blanks(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server(data_dir=tmp_path / "it's a folder")
    get, report, *_ = printed_blocks(server).values()
    token, opened = map(json.loads, paste(get, report))
    assert token["token_type"] == "Bearer"
    assert opened["RegNumber"] == server.company_number


def test_plain_http_needs_no_authority(start_server: StartServer) -> None:
    server = start_server("--http")
    contents = sandbox_file.read(server.data_dir / "sandbox.json")
    assert contents is not None
    lines = [lines for _, lines in banner.curl_lines(contents)]
    assert not any("--cacert" in each for each in lines)
    assert json.loads(paste(*lines[:2])[1])["RegNumber"] == server.company_number
