// Signs people in with passport-openidconnect, as its page writes it. SWITCH=nonce sends a nonce.
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import Strategy from 'passport-openidconnect'

const { PORT, ISSUER, CLIENT_ID, CLIENT_SECRET, SWITCH } = process.env
passport.use(
  new Strategy(
    {
      issuer: ISSUER,
      authorizationURL: `${ISSUER}/oauth2/v1/authorize`,
      tokenURL: `${ISSUER}/oauth2/v1/token`,
      userInfoURL: `${ISSUER}/oauth2/v1/userinfo`,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: `http://localhost:${PORT}/callback`,
      scope: ['profile', 'email'],
      ...(SWITCH === 'nonce' ? { nonce: true } : {}),
    },
    (issuer, profile, done) => done(null, { email: profile.emails?.[0]?.value }),
  ),
)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))
const app = express()
app.use(session({ secret: 'for-tests-only', resave: false, saveUninitialized: false }))
app.use(passport.authenticate('session'))
app.get('/login', passport.authenticate('openidconnect'))
app.get('/callback', passport.authenticate('openidconnect', { failWithError: true, successRedirect: '/' }))
app.get('/', (request, response) => {
  response.send(request.user ? `Signed in as ${request.user.email}` : 'Signed out')
})
app.use((error, request, response, next) => response.status(500).send(`Refused: ${error.message}`))
app.listen(Number(PORT), 'localhost')
