// openid-client signs a person in: the first line of standard input says how, the answer is where to send the browser; the
// second line is where the browser came back, the answer what came of it.

import { createInterface } from 'node:readline/promises'
import * as client from 'openid-client'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const next = async () => (await lines.next()).value
const say = (what) => console.log(JSON.stringify(what))

const { issuer, clientId, secret, jwk, way, redirectUri, number } = JSON.parse(await next())
const options = { execute: [client.enableNonRepudiationChecks] }
const key = jwk && (await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']))
const proof = jwk ? client.PrivateKeyJwt(key) : client.ClientSecretBasic(secret)
const metadata = jwk ? { id_token_signed_response_alg: 'ES256', authorization_signed_response_alg: 'ES256' } : {}
const config = await client.discovery(new URL(issuer), clientId, metadata, proof, options)
if (way === 'jarm' || way === 'fapi2') client.useJwtResponseMode(config)
const bound =
  way === 'dpop' || way === 'fapi2'
    ? { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256')) }
    : {}

const pkceCodeVerifier = client.randomPKCECodeVerifier()
const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
const parameters = {
  redirect_uri: redirectUri,
  scope: 'openid profile offline_access credit:report',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
}
const target = {
  par: () => client.buildAuthorizationUrlWithPAR(config, parameters),
  fapi2: () => client.buildAuthorizationUrlWithPAR(config, parameters, bound),
  jar: () => client.buildAuthorizationUrlWithJAR(config, parameters, key),
}[way]
say({ url: await (target ?? (() => client.buildAuthorizationUrl(config, parameters)))() })

const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await client.authorizationCodeGrant(config, new URL(await next()), checks, undefined, bound)
const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub, bound)
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token, undefined, bound)
const report = new URL(`${issuer}/risk/business/v1/registeredcompanycredit/${number}`)
const answer = await client.fetchProtectedResource(config, refreshed.access_token, report, 'GET', null, null, bound)
say({
  claims: tokens.claims(),
  user,
  type: tokens.token_type,
  rotated: refreshed.refresh_token !== tokens.refresh_token,
  report: await answer.json(),
})
process.exit(0)
