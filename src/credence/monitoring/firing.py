"""Whether a change fires a rule of a portfolio."""

from credence.monitoring.transitions import ObservedChange
from credence.store.portfolios import RuleSetting


def fires(change: ObservedChange, setting: RuleSetting) -> bool:
    """Return whether a change fires a rule with these parameters."""
    if change.rule != setting.rule:
        return False
    match change.rule:
        case "score" | "limit" | "band" if change.after is None:
            return True
        case "band":
            return _band_fires(change, setting)
        case "payment-practice":
            rose = None not in (change.before, change.after) and change.after - change.before >= (setting.by or 0)
            return setting.by is None or rose
        case "score" | "limit":
            return _falls(change, setting)
        case "decision" if change.fact != setting.policy:
            return False
    return not setting.kinds or change.kind in setting.kinds


def _band_fires(change: ObservedChange, setting: RuleSetting) -> bool:
    if setting.by is None and not setting.kinds:
        return True
    if change.before is None:
        return change.after in setting.kinds
    fallen = ord(change.after) - ord(change.before)
    return (setting.by is not None and fallen >= setting.by) or (fallen > 0 and change.after in setting.kinds)


def _falls(change: ObservedChange, setting: RuleSetting) -> bool:
    if setting.by is None and setting.below is None:
        return True
    below = setting.below is not None and change.after < setting.below
    if change.before is None:
        return below
    fallen = change.before - change.after
    least = None if setting.by is None else setting.by if change.rule == "score" else change.before * setting.by / 100
    return (least is not None and fallen > 0 and fallen >= least) or (below and change.before >= (setting.below or 0))
