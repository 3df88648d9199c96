THE_TRUST
const basic = Buffer.from("THE_CLIENT_ID:THE_SECRET").toString("base64");
const issued = await fetch("THE_TOKEN", {
  method: "POST",
  headers: { authorization: `Basic ${basic}` },
  body: new URLSearchParams({ grant_type: "client_credentials" }),
});
const { access_token } = await issued.json();
const answer = await fetch("THE_REPORT", { headers: { authorization: `Bearer ${access_token}` } });
console.log(JSON.stringify(await answer.json()));
