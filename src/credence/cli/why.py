"""`credence why`: the reason of a refused request, whose caller got only the message of the specification (spec §7)."""

from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import NotFound
from credence.cli.output import print_one
from credence.cli.refusal_lines import Line, line_of_request
from credence.refusals import SUPPORT_EMAIL, named
from credence.settings import Settings
from credence.telemetry.reasons import explanations, pages


def why(
    refused: Annotated[
        str,
        typer.Argument(
            help="The X-Request-ID of the answer, or a reason code of the log or of the sandbox's X-Reason."
        ),
    ],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Explain why a request was refused: caller, address, deciding rule and remedy."""
    settings = settings_of(data_dir)
    if refused in explanations():
        print_one(_meaning(refused), as_json=as_json)
        return
    line = line_of_request(settings, refused)
    if line is None:
        elsewhere = " or, for three days, of any node in the shared store" if settings.store else ""
        raise NotFound(
            f"No refusal with the request id {refused!r} is in the audit trail {settings.audit_folder}{elsewhere}. Of a "
            "caller without credentials it has the first refusal of each second; the log has all, with the reason, which "
            "credence why explains too."
        )
    print_one(_explained(settings, line), as_json=as_json)


def _explained(settings: Settings, line: Line) -> dict[str, object]:
    asked = [str(line[name]) for name in ("method", "route") if line.get(name)]
    refusal = named(str(line.get("refusal")))
    told = {
        "when": line.get("time"),
        "node": line.get("node"),
        "environment": line.get("environment"),
        "asked": " ".join(asked) or None,
        "application": line.get("application"),
        "account": line.get("account"),
        "address": line.get("address"),
        "by_way_of": line.get("peer"),
        "correlation_id": line.get("correlation_id"),
        "the_caller_saw": _seen(line, refusal.message if refusal else "", settings.support_email),
        **_meaning(str(line["reason"])),
    }
    return {name: value for name, value in told.items() if value is not None}


def _meaning(reason: str) -> dict[str, object]:
    explanation = explanations().get(reason)
    if explanation is None:
        return {"reason": reason, "rule": "This version does not know the reason; another one wrote it."}
    return {
        "reason": reason,
        "rule": explanation.rule,
        "what_to_do": explanation.remedy,
        "read": ", ".join(pages(explanation.rule)),
    }


def _seen(line: Line, message: str, support_email: str) -> str:
    return f"{line.get('status')} {message.replace(SUPPORT_EMAIL, support_email)}".strip()
