import { handlers } from 'THE_FOLDERauth'

export const { GET, POST } = handlers
