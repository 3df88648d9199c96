// node-oidc-provider as the provider of an employer: groups in the ID token, pushed requests, a client without a secret.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'

const { ISSUER, PORT, SERVICE, CERT, KEY } = process.env
const back = `${SERVICE}/oauth2/v1/from-issuer/employer`
const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const person = { email: 'jane@employer.example', email_verified: true, groups: ['staff', 'credit-team'] }

const provider = new Provider(ISSUER, {
  clients: [{
    client_id: 'credence',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: `${SERVICE}/oauth2/v1/keys`,
    redirect_uris: [back],
    post_logout_redirect_uris: [`${back}/signed-out`],
    backchannel_logout_uri: `${back}/logout`,
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signed_response_alg: 'ES256',
  }],
  jwks: { keys: [{ ...jwk, alg: 'ES256', use: 'sig', kid: 'one' }] },
  cookies: { keys: ['a key for the cookies of this run'] },
  fetch: (url, { dispatcher, ...options }) => fetch(url, options), // its own refuses addresses of this machine
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...person }) }),
  claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: [] },
  conformIdTokenClaims: false,
  features: {
    devInteractions: { enabled: true },
    backchannelLogout: { enabled: true },
    claimsParameter: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
  },
})
for (const name of ['pushed_authorization_request.error', 'grant.error', 'authorization.error', 'server_error']) {
  provider.on(name, (_, error) => console.log(name, error.message, error.error_detail))
}
createServer({ cert: readFileSync(CERT), key: readFileSync(KEY) }, provider.callback()).listen(Number(PORT))
