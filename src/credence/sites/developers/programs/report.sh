TOKEN=$(curl -sSTHE_TRUST -u 'THE_CLIENT_ID:THE_SECRET' \
  -d grant_type=THE_GRANT THE_TOKEN \
  | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
curl -sSTHE_TRUST -H "Authorization: Bearer $TOKEN" THE_REPORT
