// AppAuth signs a person in as a native application: it listens on a loopback port and opens the person's browser; what came
// of it is on standard output.

import appauth from '@openid/appauth'
import support from '@openid/appauth/built/node_support/index.js'

const say = (text) => process.stdout.write(`${text}\n`)
console.log = () => {} // the library logs every request

const [issuer, clientId, port] = process.argv.slice(2)
const redirectUri = `http://127.0.0.1:${port}/callback`
const requestor = new support.NodeRequestor()
const configuration = await appauth.AuthorizationServiceConfiguration.fetchFromIssuer(issuer, requestor)
const tokens = new appauth.BaseTokenRequestHandler(requestor)
const client = { client_id: clientId, redirect_uri: redirectUri }

const authorization = await new Promise((resolve, reject) => {
  const handler = new support.NodeBasedHandler(Number(port))
  const notifier = new appauth.AuthorizationNotifier()
  notifier.setAuthorizationListener((request, response, error) => (error ? reject(error) : resolve({ request, response })))
  handler.setAuthorizationNotifier(notifier)
  const scope = 'openid offline_access credit:report'
  const parameters = { ...client, scope, response_type: 'code' }
  handler.performAuthorizationRequest(configuration, new appauth.AuthorizationRequest(parameters, new support.NodeCrypto()))
})

const redemption = new appauth.TokenRequest({
  ...client,
  grant_type: 'authorization_code',
  code: authorization.response.code,
  extras: { code_verifier: authorization.request.internal.code_verifier },
})
const first = await tokens.performTokenRequest(configuration, redemption)
const refresh = new appauth.TokenRequest({
  ...client,
  grant_type: 'refresh_token',
  refresh_token: first.refreshToken,
})
const second = await tokens.performTokenRequest(configuration, refresh)
const revocation = new appauth.RevokeTokenRequest({ token: second.refreshToken, client_id: clientId })
say(JSON.stringify({ first: first.accessToken, second: second.accessToken }))
await new Promise((resolve) => process.stdin.once('data', resolve))
await tokens.performRevokeTokenRequest(configuration, revocation)
say('revoked')
process.stdout.end(() => process.exit(0))
