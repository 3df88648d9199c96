//! Signs people in with the crate `openidconnect`, as its example for a confidential client does: PKCE and a nonce.
use openidconnect::core::{CoreClient, CoreProviderMetadata, CoreResponseType, CoreUserInfoClaims};
use openidconnect::{reqwest, AuthenticationFlow, AuthorizationCode, ClientId, ClientSecret, CsrfToken, IssuerUrl};
use openidconnect::{Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse};
use std::env::var;
use std::error::Error;

struct Pending {
    state: CsrfToken,
    nonce: Nonce,
    verifier: PkceCodeVerifier,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (port, issuer) = (var("PORT")?, var("ISSUER")?);
    let authority = reqwest::Certificate::from_pem(&std::fs::read(var("CA_FILE")?)?)?;
    let http = reqwest::blocking::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .add_root_certificate(authority)
        .build()?;
    let metadata = CoreProviderMetadata::discover(&IssuerUrl::new(issuer)?, &http)?;
    let client = CoreClient::from_provider_metadata(
        metadata,
        ClientId::new(var("CLIENT_ID")?),
        Some(ClientSecret::new(var("CLIENT_SECRET")?)),
    )
    .set_redirect_uri(RedirectUrl::new(format!("http://localhost:{port}/callback"))?);
    let server = tiny_http::Server::http(format!("127.0.0.1:{port}")).map_err(|error| error.to_string())?;
    let mut pending: Option<Pending> = None;
    for request in server.incoming_requests() {
        let url = reqwest::Url::parse(&format!("http://localhost{}", request.url()))?;
        if url.path() != "/callback" {
            let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
            let (to, state, nonce) = client
                .authorize_url(
                    AuthenticationFlow::<CoreResponseType>::AuthorizationCode,
                    CsrfToken::new_random,
                    Nonce::new_random,
                )
                .add_scope(Scope::new("profile".into()))
                .add_scope(Scope::new("email".into()))
                .add_scope(Scope::new("offline_access".into()))
                .set_pkce_challenge(challenge)
                .url();
            pending = Some(Pending { state, nonce, verifier });
            let location = tiny_http::Header::from_bytes("Location", to.as_str()).unwrap();
            request.respond(tiny_http::Response::empty(302).with_header(location))?;
            continue;
        }
        let of = |name: &str| url.query_pairs().find(|(each, _)| each == name).map(|(_, value)| value.to_string());
        let Some(Pending { state, nonce, verifier }) = pending.take() else { continue };
        assert_eq!(of("state").as_ref(), Some(state.secret()));
        let tokens = client
            .exchange_code(AuthorizationCode::new(of("code").ok_or("no code")?))?
            .set_pkce_verifier(verifier)
            .request(&http)?;
        tokens.id_token().ok_or("no ID token")?.claims(&client.id_token_verifier(), &nonce)?;
        let refreshed = client
            .exchange_refresh_token(tokens.refresh_token().ok_or("no refresh token")?)?
            .request(&http)?;
        let person: CoreUserInfoClaims = client.user_info(refreshed.access_token().clone(), None)?.request(&http)?;
        let email = person.email().map(|email| email.as_str()).unwrap_or("nobody");
        request.respond(tiny_http::Response::from_string(format!("Signed in as {email}")))?;
    }
    Ok(())
}
