"""Every module of the FAPI 2.0 Security Profile plan has a test under its name, or a reason why not."""

from types import ModuleType

from tests.conformance import test_fapi2_client_credentials as without_code
from tests.conformance import test_fapi2_code_flow as code_flow
from tests.conformance import test_fapi2_pushed_requests as pushed_requests
from tests.conformance.fapi2_plan import BY_PARAMETER, ELSEWHERE, MODULES, NOT_APPLICABLE


def modules_in(module: ModuleType) -> set[str]:
    return {name.removeprefix("test_").replace("_", "-") for name in vars(module) if name.startswith("test_")}


def test_each_module_of_the_plan_is_tested_or_does_not_apply() -> None:
    here = modules_in(code_flow) | modules_in(pushed_requests)
    assert modules_in(without_code) >= ELSEWHERE | set(BY_PARAMETER.values())
    assert set(MODULES) <= here | ELSEWHERE | BY_PARAMETER.keys() | NOT_APPLICABLE.keys()
    assert not NOT_APPLICABLE.keys() & here
