// A client of the service made with openid-client; docs/clients/openid-client.md shows it.

import * as client from 'openid-client'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

// Signatures of ID tokens and signed answers are verified too, not only the connection they came over.
const options = { execute: [client.enableNonRepudiationChecks] }

export function withSecret(issuer, clientId, secret) {
  return client.discovery(new URL(issuer), clientId, undefined, client.ClientSecretBasic(secret), options)
}

export function withSecretInForm(issuer, clientId, secret) {
  return client.discovery(new URL(issuer), clientId, undefined, client.ClientSecretPost(secret), options)
}

export function withoutOpenId(issuer, clientId, secret) {
  const oauth = { ...options, algorithm: 'oauth2' }
  return client.discovery(new URL(issuer), clientId, undefined, client.ClientSecretBasic(secret), oauth)
}

export async function withKey(issuer, clientId, jwk, algorithm) {
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign'])
  return client.discovery(new URL(issuer), clientId, undefined, client.PrivateKeyJwt(key), options)
}

export function register(issuer, initialAccessToken) {
  const metadata = {
    client_name: 'openid-client',
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
  }
  return client.dynamicClientRegistration(new URL(issuer), metadata, client.ClientSecretBasic(), {
    ...options,
    initialAccessToken,
  })
}

export function tokenOfItsOwn(config) {
  return client.clientCredentialsGrant(config, { scope: 'credit:report' })
}

export function logIn(config, username, password) {
  const scope = 'openid profile email credit:report'
  return client.genericGrantRequest(config, 'password', { username, password, scope })
}

export function refresh(config, tokens) {
  return client.refreshTokenGrant(config, tokens.refresh_token)
}

export function actFor(config, usersAccessToken) {
  return client.genericGrantRequest(config, TOKEN_EXCHANGE, {
    subject_token: usersAccessToken,
    subject_token_type: ACCESS_TOKEN,
  })
}

export async function whoLoggedIn(config, tokens) {
  const claims = tokens.claims()
  const user = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
  return { claims, user }
}

export async function report(config, tokens, number) {
  const { issuer } = config.serverMetadata()
  const url = new URL(`${issuer}/risk/business/v1/registeredcompanycredit/${number}`)
  const answer = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET')
  return answer.json()
}

export function about(config, token) {
  return client.tokenIntrospection(config, token)
}

export function aboutSigned(issuer, clientId, secret, token) {
  const metadata = { introspection_signed_response_alg: 'RS256' }
  return client
    .discovery(new URL(issuer), clientId, metadata, client.ClientSecretBasic(secret), options)
    .then((config) => client.tokenIntrospection(config, token))
}

export function revoke(config, token) {
  return client.tokenRevocation(config, token)
}

export async function boundToAKey(config, username, password, number) {
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
  const scope = 'openid credit:report'
  const first = await client.genericGrantRequest(config, 'password', { username, password, scope }, { DPoP })
  const tokens = await client.refreshTokenGrant(config, first.refresh_token, undefined, { DPoP })
  const { issuer } = config.serverMetadata()
  const url = new URL(`${issuer}/risk/business/v1/registeredcompanycredit/${number}`)
  const answer = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET', null, null, { DPoP })
  const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub, { DPoP })
  return { tokens, report: await answer.json(), user }
}
