"""The modules of the plans of the OpenID Foundation's conformance suite 5.2.4, by name and in the order of each plan.

`test_modules.py` holds the tests of this folder against them; `docs/conformance.md` has the results of a run.
"""

BASIC = (
    "server",
    "response-type-missing",
    "userinfo-get",
    "userinfo-post-header",
    "userinfo-post-body",
    "ensure-request-without-nonce-succeeds-for-code-flow",
    "scope-profile",
    "scope-email",
    "scope-address",
    "scope-phone",
    "scope-all",
    "alternate-happy-flow",
    "display-page",
    "display-popup",
    "prompt-login",
    "prompt-none-not-logged-in",
    "prompt-none-logged-in",
    "max-age-1",
    "max-age-10000",
    "ensure-request-with-unknown-parameter-succeeds",
    "id-token-hint",
    "login-hint",
    "ui-locales",
    "claims-locales",
    "ensure-request-with-acr-values-succeeds",
    "codereuse",
    "codereuse-30seconds",
    "ensure-registered-redirect-uri",
    "ensure-post-request-succeeds",
    "server-client-secret-post",
    "unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
    "claims-essential",
    "ensure-request-object-with-redirect-uri",
    "refresh-token",
    "ensure-request-with-valid-pkce-succeeds",
)
"""Basic OP and Form Post Basic with static clients; every name has the prefix `oidcc-`."""

CONFIG = ("discovery-endpoint-verification",)
"""Config OP; likewise."""

RP_INITIATED_LOGOUT = (
    "rp-initiated-logout-discovery-endpoint-verification",
    "rp-initiated-logout",
    "rp-initiated-logout-bad-post-logout-redirect-uri",
    "rp-initiated-logout-modified-id-token-hint",
    "rp-initiated-logout-no-id-token-hint",
    "rp-initiated-logout-no-params",
    "rp-initiated-logout-no-post-logout-redirect-uri",
    "rp-initiated-logout-no-state",
    "rp-initiated-logout-only-state",
    "rp-initiated-logout-query-added-to-post-logout-redirect-uri",
    "rp-initiated-logout-bad-id-token-hint",
)
"""RP-Initiated Logout OP; likewise."""

BACK_CHANNEL_LOGOUT = (
    "backchannel-logout-discovery-endpoint-verification",
    "backchannel-rp-initiated-logout",
)
"""Back-Channel Logout OP; likewise."""

SECURITY_PROFILE = (
    "discovery-end-point-verification",
    "happy-flow",
    "user-rejects-authentication",
    "ensure-authorization-request-without-state-success",
    "ensure-authorization-request-without-nonce-success",
    "ensure-authorization-request-with-64-char-nonce-success",
    "ensure-other-scope-order-succeeds",
    "test-claims-parameter-identity-claims",
    "access-token-type-header-case-sensitivity",
    "check-dpop-proof-nbf-exp",
    "ensure-dpopproof-with-iat-10seconds-before-succeeds",
    "ensure-dpopproof-with-iat-10seconds-after-succeeds",
    "ensure-mismatched-dpop-jkt-fails",
    "ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt",
    "ensure-token-endpoint-fails-with-mismatched-dpop-jkt",
    "ensure-dpopproof-at-par-endpoint-binding-success",
    "ensure-dpop-auth-code-binding-success",
    "ensure-different-nonce-inside-and-outside-request-object",
    "ensure-different-state-inside-and-outside-request-object",
    "ensure-authorization-request-with-long-nonce",
    "ensure-authorization-request-with-long-state",
    "state-only-outside-request-object-not-used",
    "ensure-request-object-without-redirect-uri-fails",
    "plain-fapi-tolerate-unregistered-redirect-uri",
    "ensure-unsigned-authorization-request-without-using-par-fails",
    "ensure-redirect-uri-in-authorization-request",
    "ensure-response-type-code-idtoken-fails",
    "ensure-response-type-token-fails",
    "ensure-client-id-in-token-endpoint",
    "ensure-holder-of-key-required",
    "ensure-authorization-code-is-bound-to-client",
    "attempt-reuse-authorization-code-after-one-second",
    "ensure-token-endpoint-fails-with-expired-auth-code",
    "ensure-signed-client-assertion-with-RS256-fails",
    "ensure-client-assertion-in-token-endpoint",
    "ensure-client-assertion-with-exp-is-5-minutes-in-past-fails",
    "ensure-client-assertion-with-wrong-aud-fails",
    "ensure-client-assertion-with-no-sub-fails",
    "dpop-negative-tests",
    "refresh-token",
    "par-ensure-reused-request-uri-prior-to-auth-completion-succeeds",
    "par-attempt-reuse-request_uri",
    "par-attempt-to-use-expired-request_uri",
    "par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted",
    "par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails",
    "par-attempt-to-use-request_uri-for-different-client",
    "par-authorization-request-containing-request_uri-form-param",
    "par-attempt-invalid-http-method",
    "par-ensure-pkce-required",
    "ensure-pkce-code-verifier-required",
    "incorrect-pkce-code-verifier-rejected",
    "par-plain-pkce-rejected",
    "par-without-duplicate-parameters",
    "par-test-array-as-audience-fails",
    "par-test-par-endpoint-url-as-audience-fails",
    "par-test-token-endpoint-url-as-audience-fails",
)
"""FAPI 2.0 Security Profile Final: `private_key_jwt`, DPoP, OpenID Connect; every name has the prefix
`fapi2-security-profile-final-`."""

MESSAGE_SIGNING = (
    "ensure-request-object-with-multiple-aud-succeeds",
    "ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted",
    "ensure-request-object-without-exp-fails",
    "ensure-request-object-without-nbf-fails",
    "ensure-expired-request-object-fails",
    "ensure-request-object-with-bad-aud-fails",
    "ensure-request-object-with-exp-over-60-fails",
    "ensure-request-object-with-nbf-over-60-fails",
    "ensure-signed-request-object-with-RS256-fails",
    "ensure-request-object-signature-algorithm-is-not-none",
    "ensure-request-object-with-invalid-signature-fails",
    "ensure-matching-key-in-authorization-request",
    "ensure-unsigned-request-at-par-endpoint-fails",
    "par-authorization-request-containing-request_uri",
)
"""What FAPI 2.0 Message Signing Final with signed requests has besides; likewise."""

TRANSMITTER = (
    "transmitter-metadata",
    "stream-control-happy-path",
    "stream-control-error-create-stream-with-broken-input",
    "stream-control-error-create-stream-with-invalid-token",
    "stream-control-error-create-stream-with-duplicate-config",
    "stream-control-error-read-stream-with-invalid-token",
    "stream-control-error-read-unknown-stream",
    "stream-control-error-update-stream-with-invalid-token",
    "stream-control-error-update-stream-with-invalid-body",
    "stream-control-error-update-unknown-stream",
    "stream-control-error-replace-stream-with-invalid-body",
    "stream-control-error-replace-stream-with-invalid-token",
    "stream-control-error-replace-unknown-stream",
    "stream-control-error-delete-stream-with-invalid-token",
    "stream-control-error-delete-unknown-stream",
    "stream-subject-control",
    "transmitter-stream-verification-push",
    "transmitter-stream-verification-poll-only",
    "transmitter-stream-verification-poll-and-ack",
    "transmitter-stream-verification-ack-only",
    "transmitter-stream-verification-error-push-no-auth",
)
"""Shared Signals Framework 1.0 Final, Transmitter: 18 by push, 19 by poll; every name has the prefix `openid-ssf-`."""

CAEP_INTEROPERABILITY = ("transmitter-stream-caep-interop",)
"""What the plan of the CAEP interoperability profile has besides. It lacks the modules that update or replace a stream, and
that of subjects. Likewise."""
