// Signs people in with Auth.js (@auth/express) at its defaults: a provider of the type oidc.
// SWITCH=claims asks for claims in the ID token by the parameter `claims` (OpenID Connect Core §5.5).
import { ExpressAuth, getSession } from '@auth/express'
import express from 'express'

const { PORT, ISSUER, CLIENT_ID, CLIENT_SECRET, SWITCH } = process.env
const asked = { params: { claims: { id_token: { email: null, name: null } } } }
const config = {
  secret: 'for-tests-only',
  trustHost: true,
  providers: [
    {
      id: 'credence',
      name: 'Credence',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      ...(SWITCH === 'claims' ? { authorization: asked } : {}),
    },
  ],
}
const app = express()
app.use('/auth/*', ExpressAuth(config))
app.get('/', async (request, response) => {
  const session = await getSession(request, config)
  response.send(session ? `Signed in as ${JSON.stringify(session.user)}` : 'Signed out')
})
app.listen(Number(PORT), 'localhost')
