"""The rows of the route table for programs: tokens, credit, monitoring, shared signals, public documents."""

from functools import partial

from credence import paths
from credence.api.credit.company_search import company_search
from credence.api.credit.decisions import MAX_BATCH_OCTETS, company_batch, company_decision
from credence.api.credit.directors import director_details, director_search
from credence.api.credit.disputes import company_disputes, corrections, open_dispute
from credence.api.credit.report import company_report, company_report_by_query
from credence.api.monitoring import companies, events, ledgers, rules
from credence.api.public.health import live, ready
from credence.api.resources.operations import route_of
from credence.api.tokens import client_operations, signals
from credence.api.tokens.client_operations import PEOPLE, TAG
from credence.api.tokens.forward_auth import forward_auth, required_by_query
from credence.api.tokens.key_set import key_set
from credence.api.tokens.registration import (
    change_registration,
    end_registration,
    read_registration,
    register_application,
)
from credence.api.tokens.signal_configuration import signal_configuration, signal_configuration_with_path
from credence.api.tokens.signal_polling import poll_stream
from credence.api.tokens.status_lists import status_list, status_lists
from credence.api.tokens.user_info import user_info
from credence.monitoring.ledger.reading import MAX_FILE_OCTETS
from credence.oauth.endpoints.device_authorization import authorize_device
from credence.oauth.endpoints.introspection import introspect_token
from credence.oauth.endpoints.pushed_requests import push_request
from credence.oauth.endpoints.revocation import revoke_token
from credence.oauth.endpoints.token import obtain_token, obtain_token_in_seconds
from credence.oauth.parameters.scopes import DIRECTORS, DISPUTES, MONITOR, OPENID, REPORT, SEARCH, SIGNALS
from credence.operations.table import OPERATIONS
from credence.web.dialects import reader
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route

_PUBLIC, _CLIENT, _BEARER = Protection.PUBLIC, Protection.CLIENT, Protection.BEARER
_REGISTRATION = Protection.REGISTRATION
_ALL, _REGISTERED = AllowedOrigins.ALL, AllowedOrigins.REGISTERED

_public = partial(Route, READ, protection=_PUBLIC, origins=_ALL, tag=TAG, cacheable=True)

_client = partial(Route, ("POST",), protection=_CLIENT, tag=TAG)

TOKENS = (
    _client(
        paths.TOKEN,
        endpoint=obtain_token,
        operation=client_operations.OBTAIN_TOKEN,
        request_format=reader.token_request_format,
        origins=_REGISTERED,
        metadata="token_endpoint",
    ),
    _client(
        paths.TOKEN_IN_SECONDS,
        endpoint=obtain_token_in_seconds,
        operation=client_operations.OBTAIN_TOKEN_IN_SECONDS,
        request_format=reader.token_request_format,
        setting="experianone_token_path",
    ),  # D4
    _client(
        paths.REVOCATION,
        endpoint=revoke_token,
        operation=client_operations.REVOKE_TOKEN,
        request_format=reader.revocation_request_format,
        origins=_REGISTERED,
        metadata="revocation_endpoint",
    ),  # spec §4.2
    _client(
        paths.PUSHED_REQUESTS,
        endpoint=push_request,
        operation=client_operations.PUSH_REQUEST,
        request_format=reader.pushed_request_format,
        tag=PEOPLE,
        metadata="pushed_authorization_request_endpoint",
    ),  # RFC 9126
    _client(
        paths.DEVICE_AUTHORIZATION,
        endpoint=authorize_device,
        operation=client_operations.AUTHORIZE_DEVICE,
        request_format=reader.form_request_format,
        origins=_REGISTERED,
        tag=PEOPLE,
        metadata="device_authorization_endpoint",
    ),  # RFC 8628
    _client(
        paths.INTROSPECTION,
        endpoint=introspect_token,
        operation=client_operations.INTROSPECT_TOKEN,
        request_format=reader.form_request_format,
        metadata="introspection_endpoint",
    ),  # RFC 7662
    Route(
        ("POST",),
        paths.REGISTRATION,
        _REGISTRATION,
        register_application,
        tag="Registration",
        metadata="registration_endpoint",
        setting="registration",
    ),  # RFC 7591
    *(
        Route(
            (method,),
            f"{paths.REGISTRATION}/{{client_id}}",
            _REGISTRATION,
            endpoint,
            tag="Registration",
            setting="registration",
        )
        for method, endpoint in (
            ("GET", read_registration),
            ("PUT", change_registration),
            ("DELETE", end_registration),
        )
    ),  # RFC 7592
    _public(path=paths.KEYS, endpoint=key_set, metadata="jwks_uri"),  # spec §4.4
    Route(
        (*READ, "POST"),
        paths.USER_INFO,
        _BEARER,
        user_info,
        scope=OPENID,
        token_in_form=True,
        tag=TAG,
        origins=_REGISTERED,
        metadata="userinfo_endpoint",
    ),
    Route(
        READ,
        paths.FORWARD_AUTH,
        _BEARER,
        forward_auth,
        tag=TAG,
        required=required_by_query,
        any_host=True,
    ),
    # A list is served as long as a token refers to it, also when new tokens get no entry.
    _public(path=f"{paths.STATUS_LISTS}/{{list}}", endpoint=status_list),
    _public(
        path=paths.STATUS_LISTS,
        endpoint=status_lists,
        metadata="status_list_aggregation_endpoint",
        setting="status_list",
    ),
)

_credit = partial(Route, protection=_BEARER, origins=_REGISTERED, tag="Credit risk")
_report = partial(_credit, READ, scope=REPORT, uses_rights=True, cacheable=True)

CREDIT = (
    *(
        row
        for version in paths.RISK_VERSIONS
        for row in (
            _report(path=f"{paths.report(version)}/{{company_number}}", endpoint=company_report),  # spec §4.5
            _report(path=paths.report(version), endpoint=company_report_by_query),  # D19
            _credit(READ, paths.search(version), endpoint=company_search, scope=SEARCH),  # D23
        )
    ),
    _credit(("POST",), paths.DISPUTES, endpoint=open_dispute, scope=DISPUTES),
    _credit(READ, f"{paths.DISPUTES}/{{company_number}}", endpoint=company_disputes, scope=DISPUTES),
    _credit(READ, paths.CORRECTIONS, endpoint=corrections, scope=REPORT),
    _credit(("POST",), paths.DECISIONS, endpoint=company_decision, scope=REPORT, uses_rights=True),
    _credit(
        ("POST",), paths.BATCHES, endpoint=company_batch, scope=REPORT, uses_rights=True, max_body=MAX_BATCH_OCTETS
    ),
    _credit(READ, paths.DIRECTOR_SEARCH, endpoint=director_search, scope=DIRECTORS),
    _credit(READ, f"{paths.DIRECTOR}/{{director_number}}", endpoint=director_details, scope=DIRECTORS),
)

_PORTFOLIO = f"{paths.PORTFOLIOS}/{{portfolio}}"
_COMPANIES = f"{_PORTFOLIO}/companies"
_COMPANY = f"{_COMPANIES}/{{company_number}}"


_monitored = partial(Route, protection=_BEARER, scope=MONITOR, origins=_REGISTERED, problems=True, tag="Monitoring")
_listed = partial(_monitored, ("POST",), max_body=companies.MAX_LIST_OCTETS)

MONITORING = (
    *(route_of(each) for each in OPERATIONS if each.is_route and each.on.base == paths.MONITORING),
    _monitored(READ, _COMPANIES, endpoint=companies.list_watched_companies),
    _listed(path=_COMPANIES, endpoint=companies.watch_companies),
    _listed(path=f"{_PORTFOLIO}/removals", endpoint=companies.unwatch_companies),
    _monitored(("POST",), f"{_PORTFOLIO}/ledgers", endpoint=ledgers.upload_ledger, max_body=MAX_FILE_OCTETS),
    _monitored(READ, _COMPANY, endpoint=companies.read_watched_company, cacheable=True),
    _monitored(("PUT",), _COMPANY, endpoint=companies.watch_company),
    _monitored(("DELETE",), _COMPANY, endpoint=companies.unwatch_company),
    _monitored(("POST",), f"{_PORTFOLIO}/preview", endpoint=rules.preview_monitoring_rules),
    _monitored(READ, paths.MONITORING_RULES, endpoint=rules.list_monitoring_rules),
    _monitored(("GET",), paths.EVENTS, endpoint=events.monitoring_events),
    _monitored(READ, f"{paths.EVENTS}/{{number}}", endpoint=events.monitoring_event),
)

_configuration = partial(_public, tag="Shared signals")
_stream = partial(Route, protection=_BEARER, scope=SIGNALS, problems=True, tag="Shared signals")

SHARED_SIGNALS = (
    _configuration(path=paths.SIGNAL_CONFIGURATION, endpoint=signal_configuration),
    _configuration(path=f"{paths.SIGNAL_CONFIGURATION}/{{path}}", endpoint=signal_configuration_with_path),
    *(
        _stream(methods, path, endpoint=endpoint)
        for methods, path, endpoint in (
            (READ, paths.SIGNAL_STREAMS, signals.read_streams),
            (("POST",), paths.SIGNAL_STREAMS, signals.make_stream),
            (("PATCH",), paths.SIGNAL_STREAMS, signals.change_stream),
            (("PUT",), paths.SIGNAL_STREAMS, signals.replace_stream),
            (("DELETE",), paths.SIGNAL_STREAMS, signals.delete_stream),
            (READ, paths.SIGNAL_STATUS, signals.read_stream_status),
            (("POST",), paths.SIGNAL_STATUS, signals.change_stream_status),
            (("POST",), paths.SIGNAL_SUBJECTS_ADD, signals.add_subject),
            (("POST",), paths.SIGNAL_SUBJECTS_REMOVE, signals.remove_subject),
            (("POST",), paths.SIGNAL_VERIFICATION, signals.verify_stream),
            (("POST",), f"{paths.SIGNAL_POLL}/{{stream}}", poll_stream),
        )
    ),
)

ABOUT = "The service itself"
_probe = partial(Route, READ, protection=_PUBLIC, any_host=True, tag=ABOUT)

PROBES = (_probe(path=paths.LIVE, endpoint=live), _probe(path=paths.READY, endpoint=ready))
"""The routes that the address of the service and that of the management API have."""
