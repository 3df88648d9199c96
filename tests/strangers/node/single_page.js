// An application in a page, with nothing but what browsers have; `docs/clients/single-page.md` shows it.

const discover = async (issuer) => (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
const base64url = (octets) =>
  btoa(String.fromCharCode(...new Uint8Array(octets))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
const redirectUri = () => location.origin + location.pathname

export async function signIn(issuer, clientId, scope) {
  const { authorization_endpoint } = await discover(issuer)
  const [verifier, state] = [random(), random()]
  sessionStorage.setItem('sign-in', JSON.stringify({ verifier, state }))
  const challenge = base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  location.assign(`${authorization_endpoint}?${new URLSearchParams(parameters)}`)
}

export async function comeBack(issuer, clientId) {
  const answer = new URLSearchParams(location.search)
  const { verifier, state } = JSON.parse(sessionStorage.getItem('sign-in') ?? '{}')
  sessionStorage.removeItem('sign-in')
  history.replaceState(null, '', location.pathname)
  if (!state || answer.get('state') !== state || answer.get('iss') !== issuer) throw new Error('unexpected answer')
  if (answer.has('error')) throw new Error(answer.get('error_description'))
  const form = { grant_type: 'authorization_code', code: answer.get('code'), redirect_uri: redirectUri() }
  return tokens(issuer, { ...form, client_id: clientId, code_verifier: verifier })
}

export function refresh(issuer, clientId, refreshToken) {
  return tokens(issuer, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken })
}

async function tokens(issuer, form) {
  const { token_endpoint } = await discover(issuer)
  const answer = await fetch(token_endpoint, { method: 'POST', body: new URLSearchParams(form) })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.error_description)
  return body
}

export async function report(issuer, accessToken, number) {
  const headers = { Authorization: `Bearer ${accessToken}` }
  const answer = await fetch(`${issuer}/risk/business/v1/registeredcompanycredit/${number}`, { headers })
  return answer.json()
}
