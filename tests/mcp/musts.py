"""Every MUST of the authorization chapter of the Model Context Protocol, in revisions 2025-06-18, 2025-11-25 and 2026-07-28.

`SERVERS` has those that bind an authorization server or a resource server, each with its tests. `CLIENTS` and `OTHERS` have
the rest with the reason why nothing here can prove them.
"""

HERE = "mcp/test_authorization_chapter.py::"
ENDPOINT = "mcp/test_endpoint.py::"
DOCUMENTS = "sign_in/test_client_documents.py::"
RULES = "sign_in/test_client_document_rules.py::"
CODES = "sign_in/test_attacks_on_codes.py::"
REQUESTS = "sign_in/test_authorization_request.py::"

SERVERS: dict[str, tuple[str, ...]] = {
    "Overview: an authorization server implements OAuth 2.1 for confidential and public clients": (
        HERE + "test_a_public_and_a_confidential_client_get_tokens_for_agents_by_code_and_verifier",
        CODES + "test_pkce_cannot_be_weakened",
    ),
    "Overview: an authorization server has metadata by RFC 8414 or OpenID Connect (2025-06-18: by RFC 8414)": (
        HERE + "test_both_discovery_documents_are_there_and_name_the_issuer_that_they_were_found_by",
    ),
    "Overview, location: a server has protected resource metadata (RFC 9728)": (
        ENDPOINT + "test_the_metadata_names_this_resource_and_its_authorization_server",
    ),
    "Location: that metadata names at least one authorization server": (
        ENDPOINT + "test_the_metadata_names_this_resource_and_its_authorization_server",
    ),
    "Location: a 401 names the metadata in WWW-Authenticate, or it is at the well-known address (here both)": (
        ENDPOINT + "test_without_a_token_the_challenge_names_metadata_and_scopes",
        ENDPOINT + "test_the_metadata_names_this_resource_and_its_authorization_server",
    ),
    "Metadata: the issuer in the document is the one of its address (RFC 8414 §3.3)": (
        HERE + "test_both_discovery_documents_are_there_and_name_the_issuer_that_they_were_found_by",
    ),
    "Answers: a server that sends iss says so in its metadata (RFC 9207 §2.3)": (
        HERE + "test_iss_is_in_answers_and_errors_and_advertised",
        REQUESTS + "test_every_other_fault_goes_to_the_redirect_uri_with_state_and_issuer",
    ),
    "Registration (2025-06-18): without dynamic registration there is another way to a client_id": (
        "cli/test_app.py::test_a_new_application_is_printed_with_its_secret",
    ),
    "Client documents: the rules of the draft hold": (
        RULES + "test_a_document_that_breaks_a_rule_is_refused",
        RULES + "test_another_answer_than_a_document_is_refused_and_not_kept",
        RULES + "test_only_a_strict_address_is_the_client_id_of_a_document",
    ),
    "Client documents: the client_id in the document is its address": (
        RULES + "test_a_document_that_breaks_a_rule_is_refused",
    ),
    "Client documents: the redirect URI of a request is one of the document": (
        DOCUMENTS + "test_a_redirect_uri_must_be_one_of_the_document",
    ),
    "Client documents: the document is JSON and has what is required": (
        RULES + "test_a_document_that_breaks_a_rule_is_refused",
        RULES + "test_another_answer_than_a_document_is_refused_and_not_kept",
    ),
    "Client documents: their security is considered (SSRF, trust, size)": (
        DOCUMENTS + "test_a_host_that_the_operator_does_not_let_in_is_not_called",
        DOCUMENTS + "test_no_other_endpoint_has_a_document_fetched",
        "outgoing/test_client.py::test_a_name_with_one_private_address_is_not_called",
        "outgoing/test_client.py::test_a_redirect_is_an_answer_that_nobody_follows",
    ),
    "Client documents: the person is shown the host of the redirect": (
        DOCUMENTS + "test_the_consent_page_names_both_hosts_and_says_that_the_client_is_unverified",
    ),
    "Tokens: no access token in the query": (HERE + "test_a_token_outside_of_the_authorization_field_opens_nothing",),
    "Tokens: every request carries the token, also those of one session": (
        HERE + "test_every_request_needs_the_token_also_after_initialize",
    ),
    "Tokens: a server validates them (OAuth 2.1 §5.2)": (
        HERE + "test_an_invalid_expired_or_revoked_token_gets_401",
        "oauth/test_bearer.py::test_every_byte_of_a_token_matters",
    ),
    "Tokens: a server validates that they were issued for it; others are rejected and none is accepted": (
        ENDPOINT + "test_a_token_for_the_credit_api_does_not_open_it",
        ENDPOINT + "test_a_token_for_agents_does_not_open_the_credit_api",
        HERE + "test_a_token_of_another_deployment_gets_401",
    ),
    "Tokens: they are validated before the request is processed": (
        HERE + "test_nothing_of_a_message_is_read_without_a_token",
    ),
    "Tokens: a failed validation is answered by OAuth 2.1 §5.3; an invalid or expired token gets 401": (
        HERE + "test_an_invalid_expired_or_revoked_token_gets_401",
    ),
    "Tokens (2025-06-18): an authorization server accepts only tokens that are valid for its own resources": (
        HERE + "test_a_token_of_another_deployment_gets_401",
    ),
    "Tokens: none is passed through to another service": (HERE + "test_no_tool_calls_another_service",),
    "Tokens: the resource of both requests binds the token (RFC 8707)": (
        HERE + "test_the_resource_of_the_authorization_request_binds_the_token",
        HERE + "test_a_resource_with_scheme_and_host_in_capitals_is_the_same",
    ),
    "Errors: 401 without authorization, 403 for a scope, 400 for a malformed request": (
        HERE + "test_401_403_and_400_are_told_apart",
    ),
    "Scopes: a broader scope that implies others counts for them (here none does)": (
        HERE + "test_each_tool_opens_by_its_own_scope_and_by_no_other",
    ),
    "Security: tokens are stored securely": (
        "journeys/test_no_secret_leaves.py::test_no_canary_and_no_real_secret_comes_out",
    ),
    "Security: refresh tokens of public clients rotate": (
        "sign_in/test_authorization_code.py::test_a_public_client_redeems_with_its_verifier_and_rotates",
    ),
    "Security: every endpoint of the authorization server is https": (
        HERE + "test_every_address_of_the_metadata_is_https",
        "cli/test_serve.py::test_an_unsafe_environment_names_every_fix",
    ),
    "Security: a redirect URI is https or localhost (and RFC 8252 §7.1 for native clients, which real ones need)": (
        CODES + "test_an_address_that_could_lead_elsewhere_cannot_be_registered",
        "sign_in/test_open_registration.py::test_a_scheme_of_the_browser_is_no_redirect_uri",
    ),
    "Security: code_challenge_methods_supported is in the OpenID Connect metadata": (
        HERE + "test_both_metadata_documents_offer_s256_and_nothing_weaker",
    ),
    "Security: redirect URIs are compared exactly with registered ones": (
        CODES + "test_an_address_like_the_registered_one_gets_no_redirect",
        "sign_in/test_open_registration.py::test_redirect_uris_of_real_clients",
    ),
    "Security: nobody is redirected to an address that is not trusted": (
        REQUESTS + "test_a_fault_in_client_or_redirect_uri_is_a_page_and_never_a_redirect",
        CODES + "test_the_service_redirects_to_no_address_of_its_query",
    ),
    "Security: the considerations of OAuth 2.1 §7 are followed": (
        CODES + "test_a_stolen_code_is_useless_in_the_attackers_own_flow",
        CODES + "test_a_code_of_another_service_is_refused_and_its_answer_names_it",
        "sign_in/test_authorization_code.py::test_a_code_used_twice_is_refused_and_ends_the_tokens_of_its_first_use",
        "sign_in/test_hostile_pages.py",
    ),
}
"""Each MUST in our words, and the tests that show it: file below `tests/`, and name."""

CLIENTS: dict[str, str] = {
    "use protected resource metadata, and both discovery mechanisms": "tried with the official client",
    "parse WWW-Authenticate, prefer its address, and fall back to the well-known ones": "tried with the official client",
    "try the well-known addresses in their order, and compare the issuer": "tried with the official client",
    "keep credentials, tokens and registrations apart by issuer": "what a client stores is its own",
    "record the issuer, compare iss with it, without normalisation, and show no error of another": "decided in the client",
    "send the resource in both requests, even where it is not supported, as the canonical address": "sent by the client",
    "use the Authorization field in each request": "what the server does without it is tested here",
    "send no token of another authorization server": "what the server does with one is tested here",
    "host their document under https with its members, and name its address as client_id": "checked here at each fetch",
    "specify application_type at registration, and handle a refusal": "a registration without it is taken as the URIs say",
    "have a way for credentials that were registered beforehand (2025-06-18)": "a user interface of the client",
    "implement PKCE with S256, and refuse a server whose metadata does not offer it": "what it needs is tested here",
    "have registered redirect URIs": "a request with another one is refused here",
    "keep refresh tokens confidential, and not count on getting one": "what a client stores is its own",
    "treat the scopes of a challenge as those needed, without comparing them with scopes_supported": "decided in the client",
}
"""Each MUST that binds clients alone, and why there is no test of it here. The official client meets what this server sends
in `strangers/test_mcp_client.py` and `strangers/test_mcp_agent_signs_in.py`."""

OTHERS: dict[str, str] = {
    "other transports follow the practices of their protocol": "there are HTTP and standard streams, and no other",
    "a proxy with one client_id obtains consent for each of its clients": "no request is passed to another service",
}
