"""Verified identities, the charge behind a receiver, and notices without an event, on the page (docs/report.md)."""

import datetime as dt

import msgspec

from credence.companies.facts.events import CaseDate, InsolvencyCase, Notice
from tests.report.hand_made import DIRECTOR, WHOLE, held
from tests.report.render.companies import report
from tests.report.render.test_page import text_of

DAY = dt.date(2026, 4, 1)


def test_the_page_counts_the_officers_whose_identity_is_verified() -> None:
    verified = msgspec.structs.replace(DIRECTOR, identity_verified=DAY)
    waiting = msgspec.structs.replace(DIRECTOR, id="other", verification_due=dt.date(2026, 11, 17))
    found = text_of(report(msgspec.structs.replace(WHOLE, officers=held((verified, waiting)))))
    assert "Identity verified 1 of 2 officers" in " ".join(found.split())
    assert "Next identity to be verified by 17 November 2026" in " ".join(found.split())


def test_the_page_names_the_charge_under_which_a_receiver_acts() -> None:
    case = InsolvencyCase("1", "receiver-manager", (CaseDate("instrumented-on", DAY),), charge="Ab1-cd2Ef3")
    found = text_of(report(msgspec.structs.replace(WHOLE, insolvency=held((case,)), notices=None)))
    assert "Receiver manager, under charge Ab1-cd2Ef3" in found


def test_a_notice_that_is_no_event_is_not_said_to_be_about_nobody() -> None:
    """A notice of the dividend is about the company and is no event."""
    other = Notice("1", "2457", DAY)
    quiet = msgspec.structs.replace(WHOLE, insolvency=None, notices=held((other,)))
    found = text_of(report(quiet))
    assert "No legal event follows from the notices and the insolvency cases that are on record." in found
