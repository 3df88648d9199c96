// A resource server elsewhere that verifies access tokens with jose; docs/verifying.md shows it.
//
// node verify.mjs ISSUER AUDIENCE COOLDOWN: reads tokens from standard input, one a line, and answers each with one line,
// the claims as JSON or `refused` and jose's code.

import { createInterface } from 'node:readline'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const [issuer, audience, cooldown] = process.argv.slice(2)

const configuration = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
const keys = createRemoteJWKSet(new URL(configuration.jwks_uri), { cooldownDuration: Number(cooldown) })

async function claims(token) {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience,
    typ: 'at+jwt',
    algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'],
    requiredClaims: ['exp'],
  })
  return payload
}

for await (const token of createInterface({ input: process.stdin })) {
  const answer = await claims(token).then(JSON.stringify, (error) => `refused ${error.code}`)
  console.log(answer)
}
