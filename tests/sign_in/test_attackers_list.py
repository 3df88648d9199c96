"""What an attacker of the sign-in pages tries, and the tests that try it: each of them exists."""

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent

TRIED = {
    "code injection": {"attacks_on_codes": ["a_stolen_code_is_useless_in_the_attackers_own_flow"]},
    "replay of a code on two nodes at once": {
        "nodes": ["of_two_redemptions_of_one_code_at_once_on_two_nodes_no_token_survives"],
        "authorization_code": ["a_code_used_twice_is_refused_and_ends_the_tokens_of_its_first_use"],
    },
    "mix-up": {"attacks_on_codes": ["a_code_of_another_service_is_refused_and_its_answer_names_it"]},
    "redirect URI: userinfo, fragment, encoded dots": {
        "attacks_on_codes": [
            "an_address_that_could_lead_elsewhere_cannot_be_registered",
            "an_address_like_the_registered_one_gets_no_redirect",
        ]
    },
    "open redirect": {"attacks_on_codes": ["the_service_redirects_to_no_address_of_its_query"]},
    "forged sign-in, consent and logout": {
        "hostile_pages": [
            "no_form_is_taken_from_another_site",
            "no_form_is_taken_without_its_step_or_with_that_of_another_browser",
        ],
        "sign_out": ["a_sign_out_form_of_another_browser_is_refused"],
    },
    "session fixation": {
        "hostile_pages": ["the_session_that_an_attacker_planted_is_not_the_one_that_is_signed_in"],
        "sessions": ["a_new_sign_in_has_a_new_session_id"],
    },
    "clickjacking": {
        "hostile_pages": ["no_page_can_be_framed_or_loads_anything_or_is_kept"],
        "attacks_in_a_browser": ["a_person_is_out_of_reach_of_the_pages_of_others"],
    },
    "cookie of a sibling host": {
        "hostile_pages": [
            "a_cookie_that_comes_twice_counts_as_none",
            "no_cookie_of_a_sibling_host_becomes_one_of_ours",
        ],
        "sessions": ["the_cookie_is_a_host_cookie_that_scripts_and_other_sites_do_not_get"],
    },
    "consent bypass by prompt=none": {"attacks_on_codes": ["silence_is_no_way_around_consent"]},
    "leak of the code by the referrer": {
        "attacks_on_codes": ["no_answer_lets_the_browser_name_it_to_the_next_page"],
    },
    "downgrade of PKCE": {
        "attacks_on_codes": ["pkce_cannot_be_weakened"],
        "authorization_code": ["a_verifier_without_a_challenge_is_refused"],
    },
    "brute force": {
        "guessing": [
            "guesses_at_a_page_are_those_of_every_page",
            "guesses_at_a_page_and_at_the_token_endpoint_are_counted_apart",
        ],
        "second_factor": [
            "the_right_password_does_not_buy_further_guesses",
            "guesses_from_many_addresses_are_slowed_for_the_account",
        ],
        "changing_a_password": ["guesses_of_the_current_password_count_like_those_at_sign_in"],
    },
    "enumeration by words and by time": {
        "guessing": ["a_wrong_password_costs_the_same_and_says_the_same_for_every_account"],
        "first_page": ["what_follows_a_name_is_the_same_for_every_name"],
        "links": ["every_link_that_does_not_work_gets_the_same_page"],
    },
    "replay of a one-time code": {
        "second_factor": ["a_code_that_was_used_is_worth_nothing"],
        "nodes": ["of_two_uses_of_one_code_at_once_on_two_nodes_one_signs_in"],
    },
    "reuse of a recovery code": {"second_factor": ["a_recovery_code_opens_the_account_once"]},
    "device-code phishing": {
        "devices": [
            "a_link_from_a_stranger_connects_nothing_by_itself",
            "a_decision_needs_the_page_that_shows_who_asks",
        ]
    },
    "lock-out by a flood of guesses": {
        "floods_of_guesses": [
            "a_flood_from_twelve_addresses_closes_no_page",
            "a_flood_at_one_account_keeps_nobody_out_who_is_elsewhere",
            "an_attack_without_end_from_240_addresses_keeps_nobody_out",
            "an_ipv6_caller_is_also_its_networks_of_56_and_48_bits",
        ],
    },
    "tracking by, and theft of, the cookie of a known browser": {
        "known_browsers": [
            "the_cookie_tracks_nobody",
            "nothing_of_a_known_browser_is_stored",
            "no_character_of_the_cookie_can_be_changed",
            "a_known_browser_has_five_attempts_of_its_own",
        ],
    },
    "guessing of device codes": {
        "devices": [
            "guesses_are_limited_and_do_not_keep_the_owner_from_signing_in",
            "nobody_guesses_without_an_account",
        ]
    },
    "back-channel calls into the network": {
        "back_channel_logout": [
            "an_address_that_is_never_called_cannot_be_registered",
            "a_name_that_leads_inside_is_never_called",
        ]
    },
}
"""Attack -> file of this folder -> tests in it."""


@pytest.mark.parametrize("attack", TRIED)
def test_each_attack_is_tried(attack: str) -> None:
    for file, names in TRIED[attack].items():
        tree = ast.parse((HERE / f"test_{file}.py").read_text(encoding="utf-8"))
        found = {node.name for node in tree.body if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef)}
        assert {f"test_{name}" for name in names} <= found
