"""Applies a policy to a report: a pure function, whose result names the rule and the member that decided.

Every rule is tried, and the most severe outcome decides. Equal inputs have equal hashes: the input is the policy, the
amount, the day if a rule compares one, and every member that a rule reads, or its absence. The limit is a share of the
suggested one, or an amount of its own for a company without figures.
"""

import datetime as dt
import hashlib
import math
from decimal import Decimal
from typing import Annotated, Any

import msgspec

from credence.meanings import meaning
from credence.policy.logic import Members, verdict_of
from credence.policy.pointer import read
from credence.policy.policy import SEVERITY, Policy, ReadRule, Terms
from credence.policy.policy import Outcome as OneOfThree
from credence.report.schema.report import LtdCompanyData
from credence.scoring.model import current_model

LIMIT = "/Assessment/Score/Limit/Amount"
"""The pointer to the suggested limit."""

NO_SCORE = meaning("The code of the reason why there is no score.", example="unscored.dissolved")

ABOVE_LIMIT = "above-limit"
OTHERWISE = "otherwise"
"""The names of the two rules that every policy has."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule that applied, and the first member that made it apply."""

    Rule: Annotated[str, meaning("The id of the rule; `above-limit` and `otherwise` are rules of every policy.")]
    Outcome: Annotated[OneOfThree, meaning("The outcome of the rule.")]
    Reason: Annotated[str, meaning("The reason that the policy gives for the rule.")]
    Member: Annotated[
        str,
        meaning("A pointer into the report (RFC 6901); absent if no rule counted.", example="/Assessment/Score/Band"),
    ] = ""
    Value: Annotated[
        str | None,
        meaning("The value of the member as text; absent if the member is absent, a list or a model.", example="E"),
    ] = None


class AppliedPolicy(msgspec.Struct, frozen=True):
    """The policy of a decision; the hash is the SHA-256 of its file."""

    Name: Annotated[str, meaning("The name in the file.")]
    Date: Annotated[dt.date, meaning("The date of this version of the policy.")]
    Hash: Annotated[str, meaning("The SHA-256 of the file, in hexadecimal digits.")]


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """The decision on one company.

    `Findings` are the rules that counted, the most severe first: the first one decided. `Limit` is what the policy grants
    in pounds, for an accepted company only. `InputHash` is equal for equal inputs.
    """

    RegNumber: Annotated[str, meaning("The company number in normal form.")]
    Outcome: Annotated[OneOfThree, meaning("The decision: the most severe outcome of the rules that counted.")]
    Findings: Annotated[tuple[Finding, ...], meaning("The rules that counted, the most severe first.")]
    Policy: Annotated[AppliedPolicy, meaning("The policy that was applied.")]
    InputHash: Annotated[str, meaning("The SHA-256 of the input: equal for equal inputs.")]
    Score: Annotated[int | None, meaning("The score; absent for a company that is not scored.", unit="points")] = None
    Band: Annotated[str | None, meaning("The band of the score, A to E.")] = None
    SuggestedLimit: Annotated[int | None, meaning("The limit that the model suggests.", unit="pounds")] = None
    Limit: Annotated[
        int | None, meaning("The limit of the policy, for an accepted company only.", unit="pounds", example=5000)
    ] = None
    NotScored: Annotated[str | None, NO_SCORE] = None
    Amount: Annotated[int | None, meaning("The requested credit.", unit="pounds")] = None
    Place: Annotated[int | None, meaning("The place in the list of a batch, from 1.")] = None


def decide(
    report: LtdCompanyData, policy: Policy, today: dt.date, amount: int | None = None, *, place: int | None = None
) -> Decision:
    """Return the decision on a company; `amount` is the requested credit in pounds."""
    members = {each.text: read(report, each) for each in policy.pointers}
    assessment = report.Assessment
    score = assessment.Score if assessment else None
    suggested = score.Limit.Amount if score else None
    allowed = granted(policy, report)
    found = [each for rule in policy.rules if (each := _finding(rule, members, today))]
    if amount is not None and (allowed is None or amount > allowed):
        words = "The suggested limit is not known." if allowed is None else f"More than the limit of {allowed:,}."
        found.append(Finding(ABOVE_LIMIT, policy.above_limit, words, LIMIT, _shown(suggested)))
    if not found:
        found = [Finding(OTHERWISE, policy.otherwise, "No rule counted.")]
    found.sort(key=lambda each: -SEVERITY[each.Outcome])  # stable: among equal outcomes the order of the policy is kept
    outcome = found[0].Outcome
    return Decision(
        RegNumber=report.RegNumber,
        Outcome=outcome,
        Findings=tuple(found),
        Policy=AppliedPolicy(policy.name, policy.date, policy.hash),
        InputHash=_input_hash(report.RegNumber, policy, members, (suggested, allowed), amount, today),
        Score=score.Score if score else None,
        Band=score.Band if score else None,
        SuggestedLimit=suggested,
        Limit=_limit(allowed, amount) if outcome == "accept" else None,
        NotScored=assessment.NotScored.Code if assessment and assessment.NotScored else None,
        Amount=amount,
        Place=place,
    )


def _limit(allowed: int | None, amount: int | None) -> int | None:
    return allowed if allowed is None or amount is None else min(allowed, amount)


def _finding(rule: ReadRule, members: Members, today: dt.date) -> Finding | None:
    found = verdict_of(rule, members, today)
    if found.holds:
        return Finding(rule.id, rule.outcome, rule.reason, found.place, _shown(found.value))
    if found.holds is None and rule.unknown is not None:
        return Finding(rule.id, rule.unknown, f"Not known. {rule.reason}", found.place)
    return None


def _shown(value: Any) -> str | None:
    """Return a member's value in the form that a decision shows; None for a struct or a list."""
    if isinstance(value, str | dt.date):
        return str(value)
    return _encode(value).decode() if isinstance(value, int | float) else None


_encode = msgspec.json.Encoder(order="deterministic").encode


def _input_hash(
    number: str,
    policy: Policy,
    members: Members,
    limits: tuple[int | None, int | None],
    amount: int | None,
    today: dt.date,
) -> str:
    """Return the hash; `limits` are the suggested one and that of the policy."""
    judged = today if any(each.dated for each in policy.pointers) else None
    known = {text: None if found == ((text, None),) else found for text, found in members.items()}
    return hashlib.sha256(_encode((number, policy.hash, known, limits, amount, judged))).hexdigest()


_NO_FIGURES = frozenset({"NO-ACCOUNTS", "NONE-FILED"})
"""Reservations of a company of which no figures are held."""
_BESIDE = frozenset({"NO-LIMIT"})
"""A reservation that only says that the suggested limit is 0."""


def granted(policy: Policy, report: LtdCompanyData) -> int | None:
    """Return the limit of the policy for a company, in pounds; None if no limit can be computed for it."""
    assessment = report.Assessment
    suggested = assessment.Score.Limit.Amount if assessment and assessment.Score else None
    if suggested is None:
        return None
    if not suggested and policy.limit.without_figures and _lacks_only_figures(report):
        return _capped(policy.limit.without_figures, policy.limit)
    # The share is a decimal: 0.57 of 10,000 is 5,700, which floating point makes 5,699.
    return _capped(math.floor(suggested * Decimal(repr(policy.limit.share))), policy.limit)


def _capped(amount: int, terms: Terms) -> int:
    return amount if terms.cap is None else min(amount, terms.cap)


def _lacks_only_figures(report: LtdCompanyData) -> bool:
    """Return whether nothing forbids a limit but that no figures are held."""
    assessment = report.Assessment
    if assessment is None or assessment.Score is None or assessment.Headline is None:
        return False
    model = current_model()
    codes = {each.Code for each in assessment.Headline.Reservations}
    band = next(each for each in model.terms.bands if each.band == assessment.Score.Band)
    forbidding = {row.code for row in model.reservations.rows if not row.limit} - _NO_FIGURES - _BESIDE
    return bool(band.factor and codes & _NO_FIGURES) and codes.isdisjoint(forbidding)
