import express from 'express'
import * as client from 'openid-client'

const redirectUri = new URL('THE_REDIRECT_URI')
const secret = client.ClientSecretBasic('THE_CLIENT_SECRET')
const config = await client.discovery(new URL('THE_ISSUER'), 'THE_CLIENT_ID', undefined, secret)
const started = new Map() // sign-ins under way: in production, keep them in the session of each browser
const app = express()

app.get(redirectUri.pathname, async (request, response, next) => {
  const state = request.query.state
  if (!state && redirectUri.pathname === '/') return next()
  const checks = { pkceCodeVerifier: started.get(state), expectedState: state, idTokenExpected: true }
  if (!started.delete(state)) return response.status(400).send('This sign-in was not started here.')
  const tokens = await client.authorizationCodeGrant(config, new URL(request.originalUrl, redirectUri), checks)
  const report = await client.fetchProtectedResource(config, tokens.access_token, new URL('THE_REPORT'), 'GET')
  response.type('text').send(`Signed in as ${tokens.claims().sub}\n${await report.text()}`)
})

app.get('/', async (request, response) => {
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
  started.set(state, verifier)
  const parameters = {
    redirect_uri: redirectUri.href,
    scope: 'openid profile credit:report',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  response.redirect(client.buildAuthorizationUrl(config, parameters).href)
})

app.listen(THE_PORT, '127.0.0.1')
