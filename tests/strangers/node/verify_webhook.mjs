// Verifies a webhook delivery with the two published packages for JavaScript, and prints the type of its message for each.
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'

const { secret, body, headers } = JSON.parse(process.argv[2])
for (const Verifier of [Standard, Svix]) {
  try {
    const message = new Verifier(secret).verify(body, headers)
    console.log(message.type)
  } catch (error) {
    console.log(error.message)
  }
}
