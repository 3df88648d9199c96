"""What is asked of signing people in, clause by clause, and the tests that show it: file below `tests/`, and name.

The numbers are those of the requirements: authorization endpoint (1), token endpoint (2), how it fits (3), signing out
(4), pushed and signed requests and devices (5), factors and the account page (6), and what the whole promises (7).
"""

CODES = "sign_in/test_authorization_code.py::test_"
REQUESTS = "sign_in/test_authorization_request.py::test_"
ATTACKS = "sign_in/test_attacks_on_codes.py::test_"
SESSIONS = "sign_in/test_sessions.py::test_"
CONSENTS = "sign_in/test_consent.py::test_"
CLAIMS = "sign_in/test_claims_parameter.py::test_"
HOSTILE = "sign_in/test_hostile_pages.py::test_"
BROWSER = "sign_in/test_attacks_in_a_browser.py::test_a_person_is_out_of_reach_of_the_pages_of_others"
PUSHED = "sign_in/test_pushed_requests.py::test_"
SIGNED = "sign_in/test_request_objects.py::test_"
ANSWERS = "sign_in/test_signed_answers.py::test_"
DEVICES = "sign_in/test_devices.py::test_"
SECOND = "sign_in/test_second_factor.py::test_"
REQUIRED = "sign_in/test_required_factors.py::test_"
PASSKEYS = "sign_in/test_passkeys.py::test_"
PASSKEY_ATTACKS = "sign_in/test_attacks_on_passkeys.py::test_"
STEP_UP = "sign_in/test_step_up.py::test_"
LINKS = "sign_in/test_links.py::test_"
PASSWORDS = "sign_in/test_changing_a_password.py::test_"
GUESSING = "sign_in/test_guessing.py::test_"
FIRST = "sign_in/test_first_page.py::test_"
SIGN_OUT = "sign_in/test_sign_out.py::test_"
NOTICES = "sign_in/test_back_channel_logout.py::test_"
NODES = "sign_in/test_nodes.py::test_"
OWN_DATA = "sign_in/test_own_data.py::test_"
REGISTRATION = "sign_in/test_registration.py::test_"
BASIC = "conformance/test_oidcc_basic.py::test_"
LOGOUT = "conformance/test_oidcc_rp_initiated_logout.py::test_"
FAPI_CODE = "conformance/test_fapi2_code_flow.py::test_"
FAPI_PUSH = "conformance/test_fapi2_pushed_requests.py::test_"
FAPI_SIGNED = "conformance/test_fapi2_message_signing.py::test_"
METADATA = "oauth/test_metadata_works.py::test_"
USER_INFO = "oauth/test_user_info.py::test_"
PAGES = "accessibility/test_sign_in_pages.py::test_"
STRANGERS = "strangers/test_applications_in_a_browser.py::test_"

CLAUSES: dict[str, tuple[str, ...]] = {
    # The authorization endpoint
    "1.1 GET and POST": (REQUESTS + "a_post_is_answered_like_a_get", BASIC + "oidcc_ensure_post_request_succeeds"),
    "1.2 redirect URI as a simple string, or an error page": (
        REQUESTS + "a_fault_in_client_or_redirect_uri_is_a_page_and_never_a_redirect",
        REQUESTS + "the_query_of_a_redirect_uri_stays",
        ATTACKS + "an_address_like_the_registered_one_gets_no_redirect",
        BASIC + "oidcc_ensure_registered_redirect_uri",
    ),
    "1.3 which URIs are registered; the loopback port is free": (
        ATTACKS + "an_address_that_could_lead_elsewhere_cannot_be_registered",
        REGISTRATION + "a_redirect_uri_that_cannot_be_is_refused",
        REGISTRATION + "a_native_application_may_have_a_scheme_of_its_domain",
        REQUESTS + "a_native_application_may_use_any_loopback_port",
        REQUESTS + "a_web_application_on_localhost_has_the_port_that_it_registered",
    ),
    "1.4 response_type": (
        BASIC + "oidcc_response_type_missing",
        FAPI_CODE + "ensure_response_type_token_fails",
        FAPI_CODE + "ensure_response_type_code_idtoken_fails",
    ),
    "1.5 unknown, empty and repeated parameters": (
        REQUESTS + "unknown_and_empty_parameters_are_ignored",
        REQUESTS + "a_parameter_that_occurs_twice_is_refused",
    ),
    "1.6 errors by redirect: state, iss, no line feed, 303": (
        REQUESTS + "every_other_fault_goes_to_the_redirect_uri_with_state_and_issuer",
        BASIC + "oidcc_prompt_none_not_logged_in",
    ),
    "1.7 iss in every answer and in the metadata": (
        REQUESTS + "every_other_fault_goes_to_the_redirect_uri_with_state_and_issuer",
        "mcp/test_authorization_chapter.py::test_iss_is_in_answers_and_errors_and_advertised",
    ),
    "1.8 PKCE with S256 for all; relaxed only with a nonce": (
        ATTACKS + "pkce_cannot_be_weakened",
        CODES + "a_verifier_without_a_challenge_is_refused",
        REQUESTS + "a_request_without_pkce_needs_a_nonce_unless_the_rule_of_the_application_is_another",
        FAPI_PUSH + "par_plain_pkce_rejected",
    ),
    "1.9 state and nonce come back whole": (
        FAPI_CODE + "ensure_authorization_request_with_long_nonce",
        FAPI_CODE + "ensure_authorization_request_with_long_state",
        BASIC + "oidcc_ensure_request_without_nonce_succeeds_for_code_flow",
        REQUESTS + "other_peoples_data_is_not_screened_for_attacks",
    ),
    "1.10 prompt=none": (
        BASIC + "oidcc_prompt_none_logged_in",
        BASIC + "oidcc_prompt_none_not_logged_in",
        ATTACKS + "silence_is_no_way_around_consent",
        METADATA + "each_challenge_method_and_prompt_that_is_advertised_works_and_no_other",
    ),
    "1.11 prompt=login, consent, select_account, max_age": (
        SESSIONS + "prompt_login_asks_for_the_password_and_dates_the_sign_in_anew",
        SESSIONS + "max_age_asks_when_the_sign_in_is_older",
        CONSENTS + "prompt_consent_asks_again",
        BASIC + "oidcc_max_age_1",
    ),
    "1.12 display, locales, login_hint, acr_values": (
        BASIC + "oidcc_ui_locales",
        BASIC + "oidcc_login_hint",
        BASIC + "oidcc_ensure_request_with_acr_values_succeeds",
    ),
    "1.13 id_token_hint": (BASIC + "oidcc_id_token_hint", SESSIONS + "a_hint_of_another_person_asks_to_sign_in"),
    "1.14 claims": (
        BASIC + "oidcc_claims_essential",
        CLAIMS + "a_subject_must_be_the_person",
        CLAIMS + "an_essential_class_of_authentication_is_met_or_refused",
        CLAIMS + "a_parameter_that_cannot_be_read_is_declined",
    ),
    "1.15 request objects that are not supported": (
        BASIC + "oidcc_unsigned_request_object_supported_correctly_or_rejected_as_unsupported",
        BASIC + "oidcc_request_uri_unsigned_supported_correctly_or_rejected_as_unsupported",
        BASIC + "oidcc_ensure_request_object_with_redirect_uri",
    ),
    "1.16 the code: entropy, sixty seconds, what it is bound to": (
        CODES + "two_codes_differ_by_more_than_their_time",
        CODES + "a_code_is_valid_for_sixty_seconds",
        CODES + "a_code_of_another_application_is_refused_and_stays_good",
        CODES + "a_code_with_another_part_wrong_is_refused_and_stays_good",
        CODES + "a_code_bound_to_a_key_is_redeemed_with_that_key_alone",
    ),
    "1.17 a second use ends the tokens of the first, on many nodes": (
        CODES + "a_code_used_twice_is_refused_and_ends_the_tokens_of_its_first_use",
        CODES + "a_code_used_after_its_minute_ends_the_tokens_too",
        NODES + "of_two_redemptions_of_one_code_at_once_on_two_nodes_no_token_survives",
        BASIC + "oidcc_codereuse_30seconds",
    ),
    "1.18 what the consent page says; cancel": (
        "sign_in/test_ways_back.py::test_a_sign_in_is_cancelled_on_each_of_its_pages",
        CONSENTS + "the_page_says_who_for_what_until_when_and_where_to",
        CONSENTS + "a_person_who_refuses_sends_the_application_away",
    ),
    "1.19 when consent is asked again; the person sees and withdraws it": (
        CONSENTS + "a_public_client_on_this_computer_asks_each_time_with_a_warning",
        CONSENTS + "consent_is_asked_again_when_the_application_changes",
        CONSENTS + "consent_is_asked_again_for_a_further_scope_and_covers_both_afterwards",
        "sign_in/test_client_documents.py::test_consent_is_asked_every_time",
        CONSENTS + "withdrawing_it_on_the_account_page_ends_every_token",
        CONSENTS + "a_code_of_before_the_withdrawal_is_refused",
    ),
    "1.20 no frame, no referrer, not kept, nothing from elsewhere": (
        HOSTILE + "no_page_can_be_framed_or_loads_anything_or_is_kept",
        ATTACKS + "no_answer_lets_the_browser_name_it_to_the_next_page",
        HOSTILE + "no_cookie_of_a_sibling_host_becomes_one_of_ours",
        BROWSER,
    ),
    "1.21 policy and terms of the application": (
        CONSENTS + "the_page_leads_to_the_policy_and_the_terms_and_loads_nothing_from_there",
    ),
    "1.22 query, form_post, jwt": (
        REQUESTS + "form_post_sends_the_answer_in_a_form_with_a_button",
        REQUESTS + "an_error_by_form_post_is_a_form_too",
        PAGES + "an_answer_by_form_goes_on_by_itself_and_breaks_no_policy",
        ANSWERS + "a_code_comes_in_a_jwt_for_the_client",
    ),
    # Token endpoint, ID token, user information
    "2.1 redemption: same client, redirect URI and verifier; resource may narrow": (
        CODES + "a_code_with_another_part_wrong_is_refused_and_stays_good",
        CODES + "one_of_several_authorized_resources_is_chosen_at_the_token_endpoint",
    ),
    "2.2 public clients: rotation or DPoP": (
        CODES + "a_public_client_redeems_with_its_verifier_and_rotates",
        CODES + "a_code_bound_to_a_key_is_redeemed_with_that_key_alone",
    ),
    "2.3 the lean ID token; the profile at the user information": (
        CODES + "the_id_token_says_who_how_and_when_and_leaves_the_profile_to_the_user_information",
        CODES + "auth_time_is_that_of_the_sign_in_and_not_of_the_code",
        BASIC + "oidcc_scope_email",
    ),
    "2.4 offline_access": (
        CODES + "an_openid_client_gets_a_refresh_token_only_with_offline_access",
        CODES + "a_plain_oauth_client_gets_a_refresh_token_that_ends_with_the_session",
        BASIC + "oidcc_refresh_token",
    ),
    "2.5 signed user information; keys of clients by address": (
        USER_INFO + "an_application_that_registered_an_algorithm_gets_signed_user_information",
        "oauth/test_registration.py::test_an_application_registers_the_address_of_its_keys_and_signed_user_information",
    ),
    "2.6 discovery": (
        "conformance/test_oidcc_config.py::test_oidcc_discovery_endpoint_verification",
        METADATA + "each_address_that_is_advertised_is_served",
    ),
    # How it fits
    "3.1 a session: cookie, row, new id, idle and absolute life, single sign-on": (
        SESSIONS + "the_cookie_is_a_host_cookie_that_scripts_and_other_sites_do_not_get",
        SESSIONS + "the_store_has_only_a_keyed_digest_of_the_cookie",
        SESSIONS + "a_new_sign_in_has_a_new_session_id",
        SESSIONS + "a_session_ends_after_half_an_hour_without_use",
        SESSIONS + "a_session_ends_after_twelve_hours_of_use",
        "sign_in/test_lives_of_logins.py",
        SIGN_OUT + "another_session_is_ended_from_the_account_page",
    ),
    "3.2 the last page goes on by itself, and by a link": (PAGES + "a_person_signs_in_by_keyboard_and_without_script",),
    "3.3 pop-ups work": (STRANGERS + "oidc_client_ts_by_pop_up",),
    "3.4 other people's data is not screened": (
        REQUESTS + "other_peoples_data_is_not_screened_for_attacks",
        PUSHED + "other_peoples_data_is_not_screened",
    ),
    "3.5 forms are bound to the browser, and none is taken from elsewhere": (
        HOSTILE + "no_form_is_taken_from_another_site",
        HOSTILE + "no_form_is_taken_without_its_step_or_with_that_of_another_browser",
    ),
    "3.6 throttles, time and words are those of the password grant, counted apart": (
        GUESSING + "guesses_at_a_page_are_those_of_every_page",
        GUESSING + "guesses_at_a_page_and_at_the_token_endpoint_are_counted_apart",
        GUESSING + "a_wrong_password_costs_the_same_and_says_the_same_for_every_account",
        SESSIONS + "the_sixth_wrong_password_is_throttled_and_the_right_one_too",
    ),
    # Signing out
    "4.1 sign-out started by the application": (
        "conformance/test_modules.py::test_each_module_of_a_plan_has_a_test_under_its_name",
        SIGN_OUT + "signing_out_by_get",
        SIGN_OUT + "an_expired_hint_counts",
        SIGN_OUT + "the_hint_of_another_session_asks_the_person",
    ),
    "4.2 applications are notified": (
        NOTICES + "a_logout_token_has_the_claims_of_the_standard_and_no_nonce",
        NOTICES + "the_person_does_not_wait_for_a_slow_application",
        NOTICES + "a_refused_notice_is_final_and_a_failed_one_is_attempted_again",
        "journeys/test_kill_before_delivery.py::test_a_notice_survives_a_kill_and_is_delivered_by_the_next_process",
        "conformance/test_oidcc_back_channel.py::test_oidcc_backchannel_rp_initiated_logout",
        "strangers/test_mod_auth_openidc_signs_out.py::test_its_page_closes_when_the_person_signs_out_elsewhere",
    ),
    "4.3 tokens without offline_access end": (NODES + "signing_out_on_one_node_ends_session_and_tokens_on_the_other",),
    # PAR, JAR, JARM, FAPI 2.0, devices
    "5.1 pushed requests": (
        PUSHED + "the_client_must_be_authenticated",
        PUSHED + "a_pushed_request_is_answered_by_its_reference",
        PUSHED + "a_reference_belongs_to_its_client",
        PUSHED + "a_reference_may_be_loaded_again_and_is_answered_once",
        PUSHED + "of_two_nodes_one_answers_a_pushed_request",
        PUSHED + "only_post_is_taken",
        PUSHED + "an_application_may_be_registered_to_push_every_request",
        PUSHED + "a_proof_binds_the_code_to_its_key",
        FAPI_PUSH + "par_authorization_request_containing_request_uri_form_param",
    ),
    "5.2 signed requests": (
        SIGNED + "a_signed_request_is_answered_and_its_parameters_alone_count",
        SIGNED + "a_request_that_nobody_or_somebody_else_signed_is_declined",
        SIGNED + "a_request_that_is_not_the_clients_for_this_service_now_is_declined",
        SIGNED + "an_application_may_be_registered_to_sign_every_request",
        FAPI_SIGNED + "ensure_request_object_fails",
    ),
    "5.3 signed answers": (
        ANSWERS + "an_error_comes_in_a_jwt_too",
        ANSWERS + "it_is_signed_with_the_algorithm_of_the_id_tokens",
    ),
    "5.4 FAPI 2.0 whole": (
        "conformance/test_modules.py::test_each_module_of_a_plan_has_a_test_under_its_name",
        "strangers/test_openid_client_signs_in.py::test_the_profile_fapi2",
    ),
    "5.5 devices": (
        DEVICES + "a_device_gets_two_codes_and_where_to_enter_one",
        DEVICES + "guesses_are_limited_and_do_not_keep_the_owner_from_signing_in",
        DEVICES + "a_link_from_a_stranger_connects_nothing_by_itself",
        DEVICES + "a_decision_needs_the_page_that_shows_who_asks",
        DEVICES + "a_device_that_asks_too_often_must_slow_down",
        DEVICES + "a_person_who_refuses_is_believed",
        "sign_in/test_devices_and_accounts.py::test_a_device_that_an_unknown_account_allowed_gets_nothing",
        "strangers/test_oidc_agent.py::test_it_connects_as_a_device_and_refreshes",
        "cli/test_login.py::test_an_operator_signs_in_uses_the_token_and_signs_out",
    ),
    # Factors and the account page
    "6.1 passkeys": (
        PASSKEYS + "the_options_bind_a_passkey_to_this_service_and_let_it_be_found_without_a_name",
        PASSKEYS + "several_passkeys_are_named_and_removed_one_by_one",
        PASSKEYS + "over_two_nodes_one_answer_signs_in_once",
        PASSKEYS + "an_account_that_needs_a_passkey_gets_one_on_the_way_and_then_never_meets_a_password",
        PASSKEY_ATTACKS + "an_answer_that_was_read_on_the_way_signs_nobody_in_again",
        FIRST + "an_account_that_needs_a_passkey_meets_no_password_form",
        "accessibility/test_passkeys.py::test_a_person_adds_a_passkey_and_signs_in_with_it",
    ),
    "6.2 one-time codes and recovery codes": (
        SECOND + "a_code_counts_in_its_step_and_the_ones_next_to_it",
        SECOND + "a_code_that_was_used_is_worth_nothing",
        SECOND + "a_recovery_code_opens_the_account_once",
        SECOND + "neither_the_key_nor_a_recovery_code_is_stored_in_clear",
        SECOND + "the_code_of_another_implementation_opens_the_account_with_both_factors_in_the_id_token",
    ),
    "6.3 passwords: the current one, links of activation and reset": (
        PASSWORDS + "a_mistake_changes_nothing_is_said_and_repeats_no_password",
        PASSWORDS + "the_new_password_counts_and_everything_but_this_browser_ends",
        LINKS + "a_link_works_once_and_a_chosen_password_ends_every_other_link",
        "cli/test_account_links.py::test_an_invited_account_exists_and_its_link_is_for_the_present_password",
        PAGES + "an_invited_person_chooses_a_password_by_keyboard_and_without_script",
    ),
    "6.4 the account page: sessions, applications and their last use, own data": (
        SIGN_OUT + "another_session_is_ended_from_the_account_page",
        CONSENTS + "withdrawing_it_on_the_account_page_ends_every_token",
        OWN_DATA + "the_account_page_says_when_an_application_last_used_its_access",
        OWN_DATA + "the_file_is_of_the_person_alone_and_has_nothing_secret",
    ),
    "6.5 step-up, at the pages and at the API": (
        REQUIRED + "acr_values_steps_up_a_session_and_keeps_the_time_of_the_sign_in",
        STEP_UP + "an_old_sign_in_is_challenged_and_the_answer_to_the_challenge_opens_the_api",
    ),
    "6.6 policy of an application and of an account": (
        REQUIRED + "a_required_factor_is_set_up_on_the_way_and_the_way_goes_on",
        REQUIRED + "the_password_grant_gives_nothing_where_a_factor_is_required",
        PASSKEYS + "an_application_that_wishes_a_passkey_gets_one_from_those_who_have_one",
    ),
    # The whole
    "7.1 everyone can use the pages: keyboard, no script, axe, 320 px, 200 %, dark": (
        PAGES + "every_page_can_be_used_by_everyone",
        PAGES + "a_second_factor_is_set_up_and_used_by_keyboard_and_without_script",
        "accessibility/test_look_of_the_operator.py::test_the_colours_and_the_logo_of_the_operator_can_be_used_by_everyone",
    ),
    "7.2 an expired step says so and leads back": (
        SESSIONS + "a_page_that_was_open_too_long_says_so",
        SESSIONS + "every_page_that_was_open_too_long_leads_back_to_its_beginning",
        SESSIONS + "the_address_of_a_form_alone_is_a_page_that_says_so",
    ),
    "7.3 entered values stay": (
        SESSIONS + "a_wrong_name_or_password_says_the_same_and_keeps_the_name",
        SESSIONS + "a_forgotten_field_is_asked_for",
    ),
    "7.4 a kill leaves nothing half done": (
        "journeys/test_kill_while_signing_in.py",
        "journeys/test_kill.py::test_every_acknowledged_login_rotation_and_revocation_survives_a_kill",
    ),
    "7.5 strangers": (
        "strangers/test_openid_client_signs_in.py::test_a_person_signs_in",
        "strangers/test_authlib.py::test_a_person_signs_in",
        STRANGERS + "flask_with_authlib",
        STRANGERS + "oidc_client_ts_by_redirect",
        STRANGERS + "a_page_without_a_library",
        "strangers/test_appauth.py::test_a_person_signs_in_to_a_native_application",
        "strangers/test_device.py::test_a_device_waits_for_its_person_and_gets_what_was_decided",
        "strangers/test_mod_auth_openidc.py::test_a_page_opens_for_a_person_who_signs_in",
    ),
    "7.6 applications move off the password grant one by one": (
        "cli/test_password_grant_report.py::test_an_application_moves_step_by_step",
        "cli/test_password_grant_report.py::test_every_command_on_the_page_runs",
        "strangers/test_client_pages.py::test_every_line_on_the_page_is_one_that_the_tests_run",
    ),
    "7.7 an attacker's list": ("sign_in/test_attackers_list.py::test_each_attack_is_tried",),
}
"""Clause -> the tests that show it; a file alone stands for all that are in it."""

NOT_HERE: dict[str, str] = {
    "1.21 the logo of an application": "it would be loaded from, or fetched of, a stranger's server; the pages show none",
    "3.3 Cross-Origin-Opener-Policy on these pages (ASVS 3.4.8)": "it would cut pop-ups off from their application",
    "5.6 CIBA": "only if somebody asks for it",
    "6.1 userVerification: preferred": "it is required: a passkey then is two factors (docs/adr/sign-in.md)",
    "6.4 sign-ins that have expired": "they are deleted; the audit trail has all, for the operator",
}
"""What is not done, and why."""
