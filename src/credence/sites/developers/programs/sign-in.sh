VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
echo "Open this in a browser:"
echo "THE_AUTHORIZATION?response_type=code&client_id=THE_CLIENT_ID&scope=openid%20credit:report\
&redirect_uri=THE_REDIRECT_URI&code_challenge=$CHALLENGE&code_challenge_method=S256"
read -r -p "The code in the address that it leads to: " CODE
curl -sSTHE_TRUST THE_CLIENT -d grant_type=authorization_code -d "code=$CODE" -d "code_verifier=$VERIFIER" \
  -d 'redirect_uri=THE_REDIRECT_URI' THE_TOKEN
