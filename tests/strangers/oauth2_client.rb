# A client with the gem oauth2: the credentials in the form, as it sends them by default.
require "json"
require "oauth2"

issuer, ca_file, client_id, client_secret, username, password, report = ARGV
client = OAuth2::Client.new(client_id, client_secret, site: issuer, token_url: "/oauth2/v1/token",
                                                      connection_opts: { ssl: { ca_file: ca_file } })
login = client.password.get_token(username, password)
refreshed = login.refresh!
own = client.client_credentials.get_token
wrong = begin
  client.password.get_token(username, "wrong")
rescue OAuth2::Error => e
  e.code
end
puts JSON.generate(expires_in: login.expires_in, wrong: wrong,
                   statuses: [login, refreshed, own].map { |token| token.get(report).status })
