// node-oidc-provider with a store in memory, as a peer of Credence in `python -m bench peers`.
// Arguments: port, algorithm of the access tokens, a folder. GET /renew opens new families and writes their tokens to
// `refresh-tokens` and `access-tokens` in the folder, one a line.
// Families are opened through the library's own models, because no grant that it offers opens one without a browser.
import { writeFileSync } from 'node:fs';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

const [port, algorithm, folder] = process.argv.slice(2);
const FAMILIES = 128;
const RESOURCE = 'https://api.example.com/risk';
const SCOPE = 'credit:report credit:search';

// The library's own store keeps a thousand entries and drops the least recently used, so that a family whose connection
// waits for a moment would be lost. This one drops nothing, and costs no more.
const entries = new Map();
const ofGrant = new Map();
class Store {
  constructor(model) { this.model = model; }

  key(id) { return `${this.model}:${id}`; }

  async upsert(id, payload) {
    entries.set(this.key(id), payload);
    if (payload.grantId === undefined) return;
    const keys = ofGrant.get(payload.grantId);
    if (keys === undefined) ofGrant.set(payload.grantId, [this.key(id)]);
    else keys.push(this.key(id));
  }

  async find(id) { return entries.get(this.key(id)); }

  async consume(id) { entries.get(this.key(id)).consumed = Math.floor(Date.now() / 1000); }

  async destroy(id) { entries.delete(this.key(id)); }

  async revokeByGrantId(grantId) {
    for (const key of ofGrant.get(grantId) ?? []) entries.delete(key);
    ofGrant.delete(grantId);
  }
}

const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
// The library needs an RS256 key for ID tokens, which are not asked for here.
const { privateKey: other } = await generateKeyPair('RS256', { extractable: true });
const keys = [{ ...(await exportJWK(privateKey)), alg: algorithm, kid: 'tokens', use: 'sig' }];
if (algorithm !== 'RS256') keys.push({ ...(await exportJWK(other)), alg: 'RS256', kid: 'other', use: 'sig' });

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: 'bench',
    client_secret: 'a-secret-of-the-benchmark',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    redirect_uris: ['https://client.example.com/back'],
    token_endpoint_auth_method: 'client_secret_basic',
  }],
  jwks: { keys },
  adapter: Store,
  scopes: ['openid', 'offline_access', ...SCOPE.split(' ')],
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  rotateRefreshToken: true,
  ttl: { AccessToken: 10800, ClientCredentials: 10800, RefreshToken: 2592000, Grant: 2592000 },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: SCOPE, audience: RESOURCE, accessTokenTTL: 10800, accessTokenFormat: 'jwt', jwt: { sign: { alg: algorithm } },
      }),
    },
  },
});

const client = await provider.Client.find('bench');
async function renew() {
  const refreshTokens = [];
  const accessTokens = [];
  for (let n = 0; n < FAMILIES; n += 1) {
    const grant = new provider.Grant({ accountId: 'ada', clientId: 'bench' });
    grant.addResourceScope(RESOURCE, SCOPE);
    const grantId = await grant.save();
    const common = { accountId: 'ada', client, grantId, gty: 'authorization_code', scope: SCOPE };
    const refresh = new provider.RefreshToken({ ...common, resource: RESOURCE, authTime: 1700000000 });
    refreshTokens.push(await refresh.save());
    // Introspection finds a token in the store, where tokens in the form of a JWT are not: this one is opaque.
    if (n < 50) accessTokens.push(await new provider.AccessToken(common).save());
  }
  const keep = (name, lines) => writeFileSync(`${folder}/${name}`, lines.map((line) => `${line}\n`).join(''));
  keep('refresh-tokens', refreshTokens);
  keep('access-tokens', accessTokens);
}

provider.use(async (ctx, next) => {
  if (ctx.path !== '/renew') return next();
  await renew();
  ctx.status = 200;
  return undefined;
});
provider.listen(Number(port), '127.0.0.1');
