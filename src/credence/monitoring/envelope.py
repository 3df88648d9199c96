"""Formats an event for sending, in the envelope that the streams of Companies House use."""

from credence import paths
from credence.clock import rfc3339
from credence.monitoring.comparing import document_of
from credence.monitoring.rules import RULES
from credence.monitoring.schema import EventData, EventHead, MonitoringEvent
from credence.store.events import NumberedEvent

MAX_NUMBER = 10**15
"""The greatest number of an event that is read."""


def envelope_of(each: NumberedEvent) -> MonitoringEvent:
    """Return the event for sending: number, what happened, and the address of the report or of the digest."""
    document = document_of(each.document)
    member = RULES[each.rule].member if each.rule in RULES else ""
    members = (member,) if member else ()
    report, digest = f"{paths.report('v2')}/{each.company}", f"{paths.DIGEST}?day={document.day}"
    return MonitoringEvent(
        resource_kind="company" if each.company else "portfolio",
        resource_id=each.company or each.portfolio,
        resource_uri=report if each.company else digest,
        event=EventHead(f"monitoring.{each.rule}", rfc3339(document.at), each.number, members),
        data=EventData(
            each.portfolio, each.rule, document.kind, document.before, document.after, document.day, document.fact
        ),
    )


def number_in(segment: str) -> int:
    """Return the number of an event in a path; 0 if the segment is not a number."""
    return int(segment) if segment.isascii() and segment.isdigit() and len(segment) <= len(str(MAX_NUMBER)) else 0
