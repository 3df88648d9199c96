"""The message with the alerts of the morning, as plain text and as HTML without images or scripts."""

from collections.abc import Sequence

from markupsafe import escape

from credence.blocks.text import visible
from credence.monitoring.company_alerts import CompanyAlert, total_at_risk, words_of

SHOWN = 20
"""The most companies in a message."""

_REASON = "You get this message because you asked for it in the workbench."


def subject_of(alerts: Sequence[CompanyAlert], operator: str) -> str:
    """Return the subject: how many companies, and the pounds at risk."""
    companies = f"{len(alerts):,} {'company' if len(alerts) == 1 else 'companies'}"
    total, is_least = total_at_risk(alerts)
    at_risk = f", {_pounds(total, is_least)} at risk" if total or not is_least else ""
    return f"{operator}: alerts about {companies}{at_risk}"


def text_of(alerts: Sequence[CompanyAlert], day: str, home: str, stop: str) -> str:
    """Return the message as plain text. `home` is the address of the workbench, `stop` that which ends the messages."""
    parts = [f"Alerts on {day}, the largest amount at risk first."]
    for each in alerts[:SHOWN]:
        causes = "\n".join(f"- {visible(words)}" for words in words_of(each))
        parts.append(f"{_name(each)} ({each.company_number})\n{_figures(each)}\n{causes}\n{each.to_do}")
    parts += [*_more(alerts), f"Open the workbench: {home}", f"{_REASON}\nStop these messages: {stop}"]
    return "\n\n".join(parts) + "\n"


def html_of(alerts: Sequence[CompanyAlert], day: str, home: str, stop: str) -> str:
    """Return the message as HTML; every text is escaped."""
    items = "".join(
        f"<li><p><strong>{escape(_name(each))}</strong> ({escape(each.company_number)})<br>{escape(_figures(each))}</p>"
        f"<ul>{''.join(f'<li>{escape(visible(words))}</li>' for words in words_of(each))}</ul>"
        f"<p>{escape(each.to_do)}</p></li>"
        for each in alerts[:SHOWN]
    )
    more = "".join(f"<p>{escape(text)}</p>" for text in _more(alerts))
    return (
        '<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Alerts</title></head>'
        '<body style="font-family:sans-serif;max-width:40em">'
        f"<h1>Alerts on {escape(day)}</h1><p>The largest amount at risk first.</p><ol>{items}</ol>{more}"
        f'<p><a href="{escape(home)}">Open the workbench</a></p>'
        f'<p><small>{_REASON} <a href="{escape(stop)}">Stop these messages</a></small></p></body></html>'
    )


def _name(each: CompanyAlert) -> str:
    return visible(each.name or each.company_number)


def _figures(each: CompanyAlert) -> str:
    risk, exposure = (_pounds(amount, each.exposure_is_least) for amount in (each.at_risk, each.exposure))
    return f"{risk} at risk, exposure {exposure}, limit {_pounds(each.limit)}, {each.severity}"


def _more(alerts: Sequence[CompanyAlert]) -> list[str]:
    left = len(alerts) - SHOWN
    return [f"{left:,} more {'company has' if left == 1 else 'companies have'} alerts."] if left > 0 else []


def _pounds(amount: int | None, is_least: bool = False) -> str:
    if amount is None or (is_least and not amount):
        return "unknown"
    return f"{'at least ' if is_least else ''}£{amount:,}"
