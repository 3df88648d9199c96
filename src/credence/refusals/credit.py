"""Refusals of the credit API (D19, D21)."""

from credence.refusals.refusal import Refusal, bad_request


def _unprocessable(name: str, message: str) -> Refusal:
    return Refusal(name, 422, "Unprocessable Entity", message, oauth_status=422)


COMPANY_NUMBER_MISSING = bad_request("company_number_missing", "The company number is required.")  # D19
COMPANY_NUMBER_MALFORMED = _unprocessable(
    "company_number_malformed",
    "The company number must be up to 8 digits, or a prefix of the register before digits, such as SC, NI or OC: "
    "01234567, SC123456.",
)
COMPANY_UNKNOWN = Refusal(
    "company_unknown", 404, "Not Found", "No company with this number is on record.", oauth_status=404
)
DIRECTOR_UNKNOWN = Refusal(
    "director_unknown", 404, "Not Found", "No director with this number is on record.", oauth_status=404
)
SEARCH_MALFORMED = _unprocessable("search_malformed", "A search parameter is missing or malformed.")
REPORT_PARAMETER = _unprocessable("report_parameter", "The parameters of a report are 'RegNumber' and 'sections'.")
DISPUTE_MALFORMED = _unprocessable(
    "dispute_malformed", "A dispute must be JSON with RegNumber, Field and Claim, texts of at most 500 characters."
)
POLICY_UNKNOWN = Refusal("policy_unknown", 404, "Not Found", "No policy with this name is installed.", oauth_status=404)
BATCH_MALFORMED = _unprocessable("batch_malformed", "The body must be a list of company numbers, as JSON or CSV.")

CREDIT_ERRORS = frozenset(
    each.name
    for each in (
        COMPANY_UNKNOWN,
        COMPANY_NUMBER_MALFORMED,
        DIRECTOR_UNKNOWN,
        SEARCH_MALFORMED,
        REPORT_PARAMETER,
        POLICY_UNKNOWN,
        BATCH_MALFORMED,
        DISPUTE_MALFORMED,
    )
)
"""The names of the refusals that are written in the form of the credit API (D21)."""
