// Runs what openid_client.mjs holds: node flows.mjs FLOW reads what it needs as JSON from standard input, and writes what
// came of it as JSON. What the library throws becomes { error }, with the code of the refusal or else the library's own.

import { text } from 'node:stream/consumers'
import * as shown from './openid_client.mjs'

const waysIn = {
  basic: ({ issuer, clientId, secret }) => shown.withSecret(issuer, clientId, secret),
  form: ({ issuer, clientId, secret }) => shown.withSecretInForm(issuer, clientId, secret),
  oauth: ({ issuer, clientId, secret }) => shown.withoutOpenId(issuer, clientId, secret),
  key: ({ issuer, clientId, jwk, algorithm }) => shown.withKey(issuer, clientId, jwk, algorithm),
  registered: ({ issuer, initialAccessToken }) => shown.register(issuer, initialAccessToken),
}

const flows = {
  async own(config, { number }) {
    const tokens = await shown.tokenOfItsOwn(config)
    return { tokens, report: await shown.report(config, tokens, number) }
  },
  async user(config, { username, password, number }) {
    const first = await shown.logIn(config, username, password)
    const who = await shown.whoLoggedIn(config, first)
    const tokens = await shown.refresh(config, first)
    return { first, tokens, ...who, report: await shown.report(config, tokens, number) }
  },
  async acting(config, { usersAccessToken, number }) {
    const tokens = await shown.actFor(config, usersAccessToken)
    return { tokens, report: await shown.report(config, tokens, number) }
  },
  async ending(config, { number }) {
    const tokens = await shown.tokenOfItsOwn(config)
    const before = await shown.about(config, tokens.access_token)
    await shown.revoke(config, tokens.access_token)
    const after = await shown.about(config, tokens.access_token)
    return { before, after, report: await refused(shown.report(config, tokens, number)) }
  },
  async signed(config, { issuer, clientId, secret }) {
    const { access_token: token } = await shown.tokenOfItsOwn(config)
    return shown.aboutSigned(issuer, clientId, secret, token)
  },
  bound: (config, { username, password, number }) => shown.boundToAKey(config, username, password, number),
}

function refused(promise) {
  return promise.then(
    (result) => ({ result }),
    ({ error, code, cause }) => ({ error: error ?? cause?.[0]?.parameters?.error ?? code }),
  )
}

const input = JSON.parse(await text(process.stdin))
const flow = async () => flows[process.argv[2]](await waysIn[input.way](input), input)
console.log(JSON.stringify(await refused(flow())))
