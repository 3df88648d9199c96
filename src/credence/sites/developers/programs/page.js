import { auth, signIn } from '../auth'

export default async function Page() {
  const session = await auth()
  if (session) return <p>Signed in as {session.user.name}</p>
  async function start() {
    'use server'
    await signIn('THE_PROVIDER')
  }
  return (
    <form action={start}>
      <button>Sign in</button>
    </form>
  )
}
