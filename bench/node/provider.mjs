// node-oidc-provider with the same work as Credence: signed access tokens, ES256, PKCE, one client, everything in memory.
import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'

const [port, client_id, client_secret, redirect_uri] = process.argv.slice(2)
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const resource = 'urn:credit'

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id,
    client_secret,
    redirect_uris: [redirect_uri],
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signed_response_alg: 'ES256',
  }],
  jwks: { keys: [{ ...key, alg: 'ES256', use: 'sig', kid: 'one' }] },
  cookies: { keys: ['a key for the cookies of this run'] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  issueRefreshToken: () => true,
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'credit:report',
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
})
provider.listen(Number(port), '127.0.0.1')
