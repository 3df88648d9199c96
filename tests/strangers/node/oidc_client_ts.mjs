// oidc-client-ts as a page uses it, with its stores in memory: log in by password, refresh, revoke.
import { readFileSync } from 'node:fs'
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'

const { issuer, clientId, secret, username, password } = JSON.parse(readFileSync(0, 'utf8'))
const store = () => new WebStorageStateStore({ store: new InMemoryWebStorage() })
const manager = new UserManager({
  authority: issuer,
  client_id: clientId,
  client_secret: secret,
  redirect_uri: 'https://app.example.com/',
  scope: 'openid profile credit:report',
  loadUserInfo: true,
  userStore: store(),
  stateStore: store(),
})
const first = await manager.signinResourceOwnerCredentials({ username, password })
const refreshed = await manager.signinSilent()
await manager.revokeTokens(['access_token'])
console.log(JSON.stringify({ sub: first.profile.sub, first: first.access_token, refreshed: refreshed.access_token }))
process.exit(0) // the manager's timers would keep the process
