"""`Assessment.ScoreChange`: the points that changed since the last different score (credit §7, §9)."""

from collections.abc import Iterator

from credence.clock import day_in_words
from credence.companies.facts.company import Company
from credence.companies.facts.scores import PastScore
from credence.companies.gazette import DISMISSAL, is_named
from credence.report.build.commercial_delphi import earlier
from credence.report.schema import score_change as wire
from credence.report.schema.score_change import REASONS
from credence.scoring.model import Model
from credence.scoring.points import words_of
from credence.scoring.reservations.table import line_code
from credence.scoring.score import Score, ScoringResult
from credence.scoring.sentences import Line


def score_change(company: Company, result: ScoringResult) -> wire.ScoreChange | None:
    """Return the member; None without a score, or if no earlier score or line differs."""
    score = result.score
    past = earlier(company.scores, score) if company.scores and score else ()
    if score is None or not past:
        return None
    before = past[0]
    same_model = before.hash == result.model.hash
    lines = tuple(_moved(company, before, score, result.model, same_model=same_model))
    if not lines:
        return None
    return wire.ScoreChange(
        Since=before.run,
        Before=before.score,
        After=score.score,
        Lines=lines,
        Remark="" if same_model else _other_model(before, result.model),
    )


def _moved(
    company: Company, before: PastScore, score: Score, model: Model, *, same_model: bool
) -> Iterator[wire.PointsMoved]:
    old = dict(before.lines)
    new = {line.code: line for line in score.lines}
    for code in dict.fromkeys((*new, *old)):
        line = new.get(code)
        was, now = old.get(code), line.points if line else None
        if was != now:
            words = line.words if line else _words(code, model)
            why = "" if line else _legal_end(company, code, model)
            yield wire.PointsMoved(code, words, why or _why(code, line, was, score, same_model=same_model), was, now)


def _why(code: str, line: Line | None, was: int | None, score: Score, *, same_model: bool) -> str:
    if line is None:
        if code in {each.code for each in score.unknown}:
            return "The value is no longer known, so it gives no points."
        return "It no longer applies." if same_model else "It no longer counts."
    if code == "base" and was is not None:
        return "The company's sector has changed." if same_model else "The sector's failure rate has changed."
    reason = line.sentence or (f"The value is now {line.value:g}." if line.value is not None else "It now applies.")
    if was is None and line.layer not in {"legal", "judgement", "scale"}:
        return f"It is counted now. {reason}"
    return reason


def _legal_end(company: Company, code: str, model: Model) -> str:
    """Return why a rule about the legal state does not apply any more, if a source says it; empty otherwise."""
    rule = next((each for each in (*model.legal.failures, *model.legal.ceilings) if each.code == code), None)
    if rule is None:
        return ""
    notices, cases = company.notices, company.insolvency
    ended = [("notice", each) for each in notices.withdrawn if is_named(each.fact, rule.notices)] if notices else []
    ended += [("case", each) for each in cases.withdrawn if each.fact.type in rule.cases] if cases else []
    if ended:
        what, newest = max(ended, key=lambda each: each[1].until)
        return f"The {what} does not count since {day_in_words(newest.until)}: {REASONS[newest.reason]}."
    dismissed = [each.published for each in notices.value if each.code == DISMISSAL] if notices else []
    if rule.petitioned and dismissed:
        return f"The petition was dismissed, says a notice of {day_in_words(max(dismissed))}."
    return ""


def _words(code: str, model: Model) -> str:
    words = dict(words_of((*model.ratios, model.conduct)))
    rules = {rule.code: "Legal state" for rule in (*model.legal.failures, *model.legal.ceilings)}
    rules |= {line_code(code): rows[0].header for code, rows in model.reservations.by_code.items()}
    return (words | rules | {"scale": "The scale runs from 0 to 100"}).get(code, code)


def _other_model(before: PastScore, model: Model) -> str:
    return (
        f"Model {before.version} ({before.hash[:12]}) found the score before and model {model.version} "
        f"({model.hash[:12]}) finds it now, so points may have moved without the company."
    )
