"""The codes of the answers with their words (report schema §4), as OpenAPI, JSON Schema and `/docs` list them."""

from collections.abc import Mapping

from credence.scoring.model import current_model

Codes = Mapping[str, str]
"""Code -> description."""

MULTIPLIER: Codes = {"N": "units", "T": "thousands"}
COMPANY_CLASS: Codes = {"S": "small or micro", "M": "medium", "L": "large"}
STANDARDS: Codes = {"I": "IFRS", "G": "UK standards"}
BANDS: Codes = {
    "A": "very low risk",
    "B": "low risk",
    "C": "moderate risk",
    "D": "high risk",
    "E": "very high risk",
}
GROUPS: Codes = {"1": "all companies", "2": "industry", "3": "size", "4": "age"}
EXACTNESS: Codes = {"E": "exact", "P": "prior to this day"}
CURRENT_PREVIOUS: Codes = {"C": "current", "P": "previous"}
SATISFIED: Codes = {"F": "fully satisfied", "N": "not fully"}
CHARGE_DAY: Codes = {"C": "created", "R": "registered"}
SUBSIDIARY_STATUS: Codes = {"L": "live", "D": "dormant", "S": "dissolved"}
TREE_POSITION: Codes = {"1": "independent", "2": "subsidiary", "3": "parent", "4": "intermediate", "5": "top"}
LEGAL_ENTITY: Codes = {"L": "limited", "N": "not limited"}
BUSINESS_STATUS: Codes = {"A": "active", "D": "dissolved", " ": "any other"}
NAME_TYPE: Codes = {
    "RC": "current registered name",
    "RP": "previous registered name",
    "TC": "trading name of a limited business",
    "NL": "trading name of another business",
}
CODE_TYPE: Codes = {"A": "SIC 1980", "B": "SIC 1992"}
METHODS: Codes = {
    "reported": "as tagged in the filing",
    "derived": "computed from other figures of the filing",
    "repaired": "filed with the wrong sign",
    "impossible": "as filed, and cannot be true",
}
CONFIDENCE: Codes = {"high": "no reason against", "medium": "with reservations", "low": "a part is missing or wrong"}
INSOLVENCY: Codes = {
    "none known": "no source has anything that counts now",
    "petition": "a claim that no court has decided",
    "proceedings": "open, and not counted as a failure",
    "failed": "sets the score to 0",
    "dissolved": "the company no longer exists",
    "unknown": "no source of it is on record",
}
LEGAL_STATUS: Codes = {
    "0": "other",
    "1": "private unlimited",
    "2": "private limited by shares",
    "3": "public limited",
    "4": "old public company",
    "5": "private limited by guarantee",
    "6": "limited partnership",
    "7": "private limited without share capital",
    "8": "converted or closed",
    "9": "private unlimited without share capital",
    "A": "exempt from the word Limited",
}
FILED_ACCOUNTS: Codes = {
    "0": "none filed",
    "1": "full",
    "2": "small",
    "3": "medium",
    "4": "group",
    "5": "dormant",
    "6": "interim",
    "7": "initial",
    "8": "total exemption full",
    "9": "total exemption small",
    "A": "partial exemption",
    "E": "audit-exempt subsidiary",
    "F": "filing-exempt subsidiary",
    "G": "micro-entity",
    "Z": "other",
}
EVENTS: Codes = {
    "C": "receiver appointed",
    "D": "receiver ceased to act",
    "E": "winding-up petition",
    "F": "petition dismissed",
    "G": "winding-up order",
    "H": "voluntary liquidator appointed",
    "I": "meeting of creditors",
    "J": "resolution to wind up",
    "K": "striking off proposed",
    "L": "dissolved",
    "M": "restored",
    "Q": "administrator appointed",
    "R": "administration ended",
    "S": "voluntary arrangement approved",
    "T": "voluntary arrangement completed",
    "U": "compulsory liquidator appointed",
    "V": "voluntary arrangement revoked",
    "W": "voluntary arrangement suspended",
    "X": "striking off discontinued",
}
_RESERVED: Codes = {
    code: rows[0].meaning for code, rows in current_model().reservations.by_code.items() if rows[0].alert
}
ALERTS: Codes = {
    "DISSOLVED": "the company is dissolved",
    "INSOLVENCY": "an insolvency event",
    "STRIKE-OFF": "striking off is proposed",
    "ACCOUNTS-LATE": "accounts are overdue",
    "STATEMENT-LATE": "the confirmation statement is overdue",
    **_RESERVED,
    "NEW-CHARGE": "a charge of the last twelve months",
    "DISPUTED": "an open dispute",
    "SPECIMEN": "the specimen of the sandbox",
}
RESERVATIONS: Codes = {code: rows[0].meaning for code, rows in current_model().reservations.by_code.items()}
"""From the table in which they are declared."""
LAYERS: Codes = {
    "base": "failure rate of the sector",
    "ratios": "ratios of the accounts",
    "conduct": "facts of the register",
    "legal": "rules on the legal state",
    "judgement": "ceilings of reservations",
    "scale": "limits of the scale",
}
ORIGINS: Codes = {"fitted": "fitted on data", "expert-set": "set by the authors"}
TRIED: Codes = {"not": "not at all", "in part": "in part"}
