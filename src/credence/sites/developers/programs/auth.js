import NextAuth from 'next-auth'

export const { handlers, auth, signIn } = NextAuth({
  basePath: 'THE_BASE',
  providers: [
    {
      id: 'THE_PROVIDER',
      name: 'Credence',
      type: 'oidc',
      issuer: 'THE_ISSUER',
      clientId: 'THE_CLIENT_ID',
      clientSecret: 'THE_CLIENT_SECRET',
      authorization: { params: { scope: 'openid profile credit:report' } },
      profile: (claims) => ({ id: claims.sub, name: claims.sub }),
    },
  ],
})
