"""Every reason code that the source raises is explained, and every explanation has its code (threats I12)."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import get_args

import credence
from credence.datasets.search import query as companies
from credence.oauth.family_life import TRANSITIONS
from credence.oauth.grants import GRANTS
from credence.oauth.liveness import Lapse
from credence.operations.table import OPERATIONS
from credence.ratelimit.limits import KINDS
from credence.report.search import director_query as directors
from credence.screening.patterns import load_rules
from credence.store.records import AccountStatus
from credence.telemetry.reasons import explanations

RAISERS = {
    "Refused",
    "UnusableDocument",
    "_invalid",
    "InvalidSignature",
    "UnexpectedHeader",
    "KeyRevoked",
    "UntrustedRequest",
    "Declined",
    "_invalid_code",
    "_once",
    "NotSignedInThere",
    "UntrustedToken",
    "IssuerUnavailable",
    "RefusedThere",
    "FailedAtIssuer",
}
"""What is called with a reason code, as the last argument."""

CODE = re.compile(r"[a-z_]+\.[a-z_]+")

WORDS = {
    "form": ["json", "xml"],
    "grant.word": [grant.word for grant in GRANTS.values() if grant.needs],
    "account.status": [status for status in get_args(AccountStatus) if status != "active"],
    "_KINDS[min(found)]": sorted({rule.kind for rule in load_rules()}),
    "lapsed": list(get_args(Lapse)),
    "decision.limit.kind": list(KINDS),
    "noun.reasons": sorted({each.on.reasons for each in OPERATIONS}),
    "NOUN.reasons": sorted({each.on.reasons for each in OPERATIONS}),
    "reasons": sorted({each.on.reasons for each in OPERATIONS}),
}
"""The values of an expression inside a code."""

ELSEWHERE = {
    ("access/rules.py", "decide"): r"access\.\w+",
    ("screening/xml_shape.py", None): r"xml\.\w+",
    ("oauth/client_authentication/authentication.py", None): r"client\.\w+",
    ("oauth/client_authentication/mutual_tls.py", None): r"(certificate|client)\.\w+",
    ("oauth/client_authentication/private_key_jwt.py", None): r"(assertion|client)\.\w+",
    ("oauth/client_authentication/workload.py", None): r"assertion\.\w+",
    ("identity/login_attempts.py", None): r"password\.\w+",
    ("identity/factors.py", None): r"factor\.\w+",
    ("identity/hashing_queue.py", None): r"password\.\w+",
    ("identity/activation.py", None): r"link\.\w+",
    ("identity/message_limits.py", None): r"message\.\w+",
    ("identity/address_codes.py", None): r"address_code\.\w+",
    ("oauth/authorization/request.py", None): r"authorization\.\w+",
    ("oauth/authorization/decision.py", None): r"authorization\.\w+",
    ("oauth/step_up.py", None): r"step_up\.\w+",
    ("oauth/authorization/sources.py", None): r"authorization\.\w+",
    ("oauth/authorization/request_object.py", None): r"request_object\.\w+",
    ("oauth/devices.py", None): r"user_code\.\w+",
    ("oauth/endpoints/pushed_requests.py", None): r"pushed_request\.\w+",
    ("sign_in/browser/steps.py", None): r"step\.\w+",
    ("access/report_rights.py", None): r"rights\.\w+",
    ("oauth/report_rights.py", None): r"rights\.\w+",
    ("operations/trails.py", None): r"manage\.\w+",
    ("oauth/trusted_issuers/identity_assertion.py", None): r"assertion_grant\.\w+",
}
"""Codes that are raised through a variable: file, function, and their pattern."""


@lru_cache(maxsize=1)
def trees() -> tuple[tuple[str, ast.Module], ...]:
    package = Path(credence.__file__).parent
    return tuple(
        (str(file.relative_to(package)), ast.parse(file.read_text("utf-8"))) for file in sorted(package.rglob("*.py"))
    )


def constants(tree: ast.AST) -> set[str]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@lru_cache(maxsize=1)
def carried() -> dict[str, set[str]]:
    """The codes of `ELSEWHERE`, by file."""
    found: dict[str, set[str]] = {}
    parsed = dict(trees())
    for (file, function), form in ELSEWHERE.items():
        tree: ast.AST = parsed[file]
        if function is not None:
            tree = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == function)
        found[file] = {text for text in constants(tree) if re.fullmatch(form, text)}
        assert found[file], file
    return found


@lru_cache(maxsize=1)
def refresh_faults() -> set[str]:
    """Why a refresh token is refused by its life cycle, and why a family may have ended."""
    ended = {
        argument.value
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"end_family", "end_families"}
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
    return ended | {each.reason for each in TRANSITIONS.values() if each.reason is not None}


def search_criteria(file: str) -> set[str]:
    """The names of the search parameters whose codes are in this file; both searches share the flags."""
    if file == "report/search/director_query.py":
        return set(directors._CRITERIA)
    flags = {
        str(node.args[1].value)
        for name, tree in trees()
        if name in {"datasets/search/query.py", "report/search/director_query.py"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "flag" and isinstance(node.args[1], ast.Constant)
    }
    return set(companies._CRITERIA) | flags


def codes_of(file: str, argument: ast.expr) -> set[str]:
    """The codes an argument may be; a form that this test does not know is a failure."""
    match argument:
        case ast.Constant(value=str(code)):
            return {code}
        case ast.IfExp(body=body, orelse=orelse):
            return codes_of(file, body) | codes_of(file, orelse)
        case ast.JoinedStr():
            return set(expanded(file, ast.unparse(argument)))
        case _:
            expression = ast.unparse(argument)
            assert (file, expression) in {
                ("screening/xml_shape.py", "_EXPAT_REASONS.get(error.code, 'xml.syntax')"),
                ("identity/hashing_queue.py", "reason"),
                ("oauth/trusted_issuers/signing_in.py", "str(untrusted)"),
                ("oauth/issuer_metadata.py", "kept.problem"),
                ("oauth/grants/jwt_bearer.py", "str(untrusted)"),
                ("oauth/trusted_issuers/signing_in.py", "str(error)"),
                ("oauth/trusted_issuers/verifying.py", "str(error)"),
                ("sign_in/from_issuer.py", "str(failed)"),
                ("oauth/client_authentication/authentication.py", "str(error)"),
                ("web/dialects/access_token.py", "threat.reason"),
                ("api/resources/operations.py", "reading.unreadable"),
                ("oauth/client_authentication/authentication.py", "reason"),
                ("oauth/bearer.py", "str(invalid)"),
                ("oauth/bearer.py", "reason"),
                ("oauth/endpoints/bearer.py", "needed.reason"),
                ("oauth/authorization/decision.py", "lacks.reason"),
                ("sign_in/browser/gate.py", "reason"),
                ("sites/kit/gate.py", "visit.reason"),
                ("oauth/grants/token_exchange.py", "refused.reason"),
                ("oauth/grants/authorization_code.py", "reason"),
                ("oauth/grants/device_code.py", "reason"),
                ("oauth/grants/jwt_bearer.py", "str(untrusted)"),
                ("oauth/report_rights.py", "reason"),
                ("oauth/authorization/request.py", "reason"),
                ("oauth/authorization/sources.py", "invalid.reason"),
                ("oauth/endpoints/pushed_requests.py", "untrusted.reason"),
                ("oauth/endpoints/pushed_requests.py", "faulty.reason"),
                ("oauth/endpoints/registration.py", "refused.reason"),
                ("oauth/registration/client_metadata.py", "reason"),
                ("oauth/endpoints/pushed_requests.py", "str(unusable)"),
                ("oauth/client_documents/document.py", "refused.reason"),
                ("sign_in/browser/application_of_step.py", "str(unknown)"),
                ("oauth/authorization/request.py", "refused.reason"),
                ("oauth/authorization/decision.py", "reason"),
                ("sign_in/password.py", "reason"),
                ("sign_in/password.py", "excluded"),
                ("sign_in/authorization.py", "untrusted.reason"),
                ("sign_in/authorization.py", "declined.reason"),
            }, (file, expression)
            return set()


def expanded(file: str, text: str) -> Iterator[str]:
    template = text[2:-1]
    words = WORDS | {"reason": sorted(refresh_faults()), "name": sorted(search_criteria(file))}
    if template == "{noun.reasons}.too_many":
        words |= {"noun.reasons": sorted({each.on.reasons for each in OPERATIONS if each.on.most})}
    found = re.search(r"\{([^{}]+)\}", template)
    if found is None:
        yield template
        return
    for word in words[found[1]]:
        yield from expanded(file, f"f'{template.replace(found[0], word)}'")


def codes_raised() -> set[str]:
    found = {code for file, codes in carried().items() if file != "access/rules.py" for code in codes}
    found |= {f"{code}_of_{owner}" for code in carried()["access/rules.py"] for owner in ("application", "account")}
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in RAISERS:
                found |= {code for argument in node.args[-1:] for code in codes_of(file, argument)}
    return found


def test_every_code_is_explained_and_every_explanation_has_its_code() -> None:
    raised, explained = codes_raised(), set(explanations())
    assert len(raised) > 100
    assert raised - explained == set(), "codes without an explanation in telemetry/reasons.toml"
    assert explained - raised == set(), "explanations of codes that nothing raises"


def test_every_code_has_the_form_of_a_code() -> None:
    assert {code for code in codes_raised() if not CODE.fullmatch(code)} == {"internal_error"}


def test_an_explanation_is_two_sentences_at_least() -> None:
    for code, explanation in explanations().items():
        assert explanation.rule.endswith("."), code
        assert explanation.remedy.endswith("."), code
