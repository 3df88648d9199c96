// Signs people in with github.com/coreos/go-oidc and golang.org/x/oauth2, as their example does.
package main

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"

	"context"
	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func random() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func set(w http.ResponseWriter, name string) string {
	value := random()
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, MaxAge: 3600, HttpOnly: true})
	return value
}

func main() {
	port := os.Getenv("PORT")
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		panic(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: os.Getenv("CLIENT_ID")})
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "http://localhost:" + port + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, config.AuthCodeURL(set(w, "state"), oidc.Nonce(set(w, "nonce"))), http.StatusFound)
	})
	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		state, _ := r.Cookie("state")
		nonce, _ := r.Cookie("nonce")
		if state == nil || nonce == nil || r.URL.Query().Get("state") != state.Value {
			http.Error(w, "state did not match", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(ctx, r.URL.Query().Get("code"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(ctx, raw)
		if err != nil || idToken.Nonce != nonce.Value {
			http.Error(w, fmt.Sprint("ID token: ", err), http.StatusInternalServerError)
			return
		}
		expired := *token
		expired.Expiry = expired.Expiry.AddDate(-1, 0, 0)
		refreshed, err := config.TokenSource(ctx, &expired).Token()
		if err != nil || refreshed.AccessToken == token.AccessToken {
			http.Error(w, fmt.Sprint("refresh: ", err), http.StatusInternalServerError)
			return
		}
		person, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(refreshed))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, "Signed in as %s", person.Email)
	})
	panic(http.ListenAndServe("127.0.0.1:"+port, nil))
}
