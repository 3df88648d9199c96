"""The rows of the route table for monitoring, JSON resources with problem details (D31); `routes.py` has the others."""

from functools import partial

from credence import paths
from credence.api.monitoring import alerts, companies, events, portfolios, rules, webhooks
from credence.api.reference.operations import alerts as alert_operations
from credence.api.reference.operations import monitoring as operations
from credence.api.reference.operations import webhooks as webhook_operations
from credence.oauth.parameters.scopes import MONITOR
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route

_PORTFOLIO = f"{paths.PORTFOLIOS}/{{portfolio}}"
_COMPANIES = f"{_PORTFOLIO}/companies"
_COMPANY = f"{_COMPANIES}/{{company_number}}"

_ALERT = f"{paths.ALERTS}/{{number}}"
_WEBHOOK = f"{paths.WEBHOOKS}/{{webhook}}"

_resource = partial(
    Route, protection=Protection.BEARER, scope=MONITOR, origins=AllowedOrigins.REGISTERED, problems=True
)

MONITORING = (
    _resource(READ, paths.PORTFOLIOS, endpoint=portfolios.list_portfolios, operation=operations.LIST_PORTFOLIOS),
    _resource(("POST",), paths.PORTFOLIOS, endpoint=portfolios.make_portfolio, operation=operations.MAKE_PORTFOLIO),
    _resource(READ, _PORTFOLIO, endpoint=portfolios.read_portfolio, operation=operations.READ_PORTFOLIO),
    _resource(("PATCH",), _PORTFOLIO, endpoint=portfolios.change_portfolio, operation=operations.CHANGE_PORTFOLIO),
    _resource(("DELETE",), _PORTFOLIO, endpoint=portfolios.delete_portfolio, operation=operations.DELETE_PORTFOLIO),
    _resource(READ, _COMPANIES, endpoint=companies.list_companies, operation=operations.LIST_COMPANIES),
    *(
        _resource(("POST",), path, endpoint=endpoint, operation=operation, max_body=companies.MAX_LIST_OCTETS)
        for path, endpoint, operation in (
            (_COMPANIES, companies.add_companies, operations.ADD_COMPANIES),
            (f"{_PORTFOLIO}/removals", companies.remove_companies, operations.REMOVE_COMPANIES),
        )
    ),
    _resource(READ, _COMPANY, endpoint=companies.read_company, operation=operations.READ_COMPANY),
    _resource(("PUT",), _COMPANY, endpoint=companies.put_company, operation=operations.PUT_COMPANY),
    _resource(("DELETE",), _COMPANY, endpoint=companies.delete_company, operation=operations.DELETE_COMPANY),
    _resource(("POST",), f"{_PORTFOLIO}/preview", endpoint=rules.preview_rules, operation=operations.PREVIEW_RULES),
    _resource(READ, paths.MONITORING_RULES, endpoint=rules.list_rules, operation=operations.LIST_RULES),
    _resource(("GET",), paths.EVENTS, endpoint=events.events, operation=operations.EVENTS),
    _resource(READ, f"{paths.EVENTS}/{{number}}", endpoint=events.read_event, operation=operations.READ_EVENT),
    _resource(READ, paths.ALERTS, endpoint=alerts.list_alerts, operation=alert_operations.LIST_ALERTS),
    _resource(READ, _ALERT, endpoint=alerts.read_alert, operation=alert_operations.READ_ALERT),
    _resource(("PATCH",), _ALERT, endpoint=alerts.change_alert, operation=alert_operations.CHANGE_ALERT),
    _resource(READ, paths.DIGEST, endpoint=alerts.read_digest, operation=alert_operations.READ_DIGEST),
    *(
        _resource(methods, path, endpoint=endpoint, operation=operation)
        for methods, path, endpoint, operation in (
            (READ, paths.WEBHOOKS, webhooks.list_webhooks, webhook_operations.LIST_WEBHOOKS),
            (("POST",), paths.WEBHOOKS, webhooks.make_webhook, webhook_operations.MAKE_WEBHOOK),
            (READ, _WEBHOOK, webhooks.read_webhook, webhook_operations.READ_WEBHOOK),
            (("PATCH",), _WEBHOOK, webhooks.change_webhook, webhook_operations.CHANGE_WEBHOOK),
            (("DELETE",), _WEBHOOK, webhooks.delete_webhook, webhook_operations.DELETE_WEBHOOK),
            (("POST",), f"{_WEBHOOK}/verify", webhooks.verify_webhook, webhook_operations.VERIFY_WEBHOOK),
            (("POST",), f"{_WEBHOOK}/disable", webhooks.disable_webhook, webhook_operations.DISABLE_WEBHOOK),
            (("POST",), f"{_WEBHOOK}/keys", webhooks.exchange_keys, webhook_operations.EXCHANGE_KEYS),
            (("POST",), f"{_WEBHOOK}/test", webhooks.send_test, webhook_operations.TEST_WEBHOOK),
            (("POST",), f"{_WEBHOOK}/replay", webhooks.replay, webhook_operations.REPLAY),
            (READ, f"{_WEBHOOK}/attempts", webhooks.list_attempts, webhook_operations.LIST_ATTEMPTS),
        )
    ),
)
