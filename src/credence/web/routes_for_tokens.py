"""The rows of the route table for applications: tokens, registration, keys and status lists; `routes.py` has the others."""

from credence import paths
from credence.api.reference.operations import registration, status, tokens
from credence.api.reference.operations.device_authorization import AUTHORIZE_DEVICE
from credence.api.reference.operations.forward_auth import FORWARD_AUTH
from credence.api.reference.operations.pushed_requests import PUSH_REQUEST
from credence.api.reference.operations.user_info import USER_INFO
from credence.api.tokens.forward_auth import forward_auth, required_by_query
from credence.api.tokens.key_set import key_set
from credence.api.tokens.registration import (
    change_registration,
    end_registration,
    read_registration,
    register_application,
)
from credence.api.tokens.status_lists import status_list, status_lists
from credence.api.tokens.user_info import show_user_info
from credence.oauth.endpoints.device_authorization import authorize_device
from credence.oauth.endpoints.introspection import introspect_token
from credence.oauth.endpoints.pushed_requests import push_request
from credence.oauth.endpoints.revocation import revoke_token
from credence.oauth.endpoints.token import obtain_tokens
from credence.oauth.parameters.scopes import OPENID
from credence.web.dialects import reader
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route

_PUBLIC, _CLIENT, _BEARER = Protection.PUBLIC, Protection.CLIENT, Protection.BEARER
_REGISTRATION = Protection.REGISTRATION
_ALL, _REGISTERED = AllowedOrigins.ALL, AllowedOrigins.REGISTERED

TOKENS = (
    Route(
        ("POST",),
        paths.TOKEN,
        _CLIENT,
        obtain_tokens,
        tokens.OBTAIN_TOKEN,
        reader.token_request_format,
        origins=_REGISTERED,
        metadata="token_endpoint",
    ),
    Route(
        ("POST",),
        paths.TOKEN_IN_SECONDS,
        _CLIENT,
        obtain_tokens,
        tokens.OBTAIN_TOKEN_IN_SECONDS,
        reader.token_request_format,
        setting="experianone_token_path",
    ),  # D4
    Route(
        ("POST",),
        paths.REVOCATION,
        _CLIENT,
        revoke_token,
        tokens.REVOKE_TOKEN,
        reader.revocation_request_format,
        origins=_REGISTERED,
        metadata="revocation_endpoint",
    ),  # spec §4.2
    Route(
        ("POST",),
        paths.PUSHED_REQUESTS,
        _CLIENT,
        push_request,
        PUSH_REQUEST,
        reader.pushed_request_format,
        metadata="pushed_authorization_request_endpoint",
    ),  # RFC 9126
    Route(
        ("POST",),
        paths.DEVICE_AUTHORIZATION,
        _CLIENT,
        authorize_device,
        AUTHORIZE_DEVICE,
        reader.form_request_format,
        origins=_REGISTERED,
        metadata="device_authorization_endpoint",
    ),  # RFC 8628
    Route(
        ("POST",),
        paths.INTROSPECTION,
        _CLIENT,
        introspect_token,
        tokens.INTROSPECT_TOKEN,
        reader.form_request_format,
        metadata="introspection_endpoint",
    ),  # RFC 7662
    Route(
        ("POST",),
        paths.REGISTRATION,
        _REGISTRATION,
        register_application,
        registration.REGISTER_APPLICATION,
        metadata="registration_endpoint",
        setting="registration",
    ),  # RFC 7591
    *(
        Route(
            (method,), f"{paths.REGISTRATION}/{{client_id}}", _REGISTRATION, endpoint, operation, setting="registration"
        )
        for method, endpoint, operation in (
            ("GET", read_registration, registration.READ_REGISTRATION),
            ("PUT", change_registration, registration.CHANGE_REGISTRATION),
            ("DELETE", end_registration, registration.END_REGISTRATION),
        )
    ),  # RFC 7592
    Route(READ, paths.KEYS, _PUBLIC, key_set, tokens.KEY_SET, origins=_ALL, metadata="jwks_uri"),  # spec §4.4
    Route(
        (*READ, "POST"),
        paths.USER_INFO,
        _BEARER,
        show_user_info,
        USER_INFO,
        scope=OPENID,
        token_in_form=True,
        origins=_REGISTERED,
        metadata="userinfo_endpoint",
    ),
    Route(READ, paths.FORWARD_AUTH, _BEARER, forward_auth, FORWARD_AUTH, required=required_by_query, any_host=True),
    # A list is served as long as a token refers to it, also when new tokens get no entry.
    Route(READ, f"{paths.STATUS_LISTS}/{{list}}", _PUBLIC, status_list, status.STATUS_LIST, origins=_ALL),
    Route(
        READ,
        paths.STATUS_LISTS,
        _PUBLIC,
        status_lists,
        status.STATUS_LISTS,
        origins=_ALL,
        metadata="status_list_aggregation_endpoint",
        setting="status_list",
    ),
)
