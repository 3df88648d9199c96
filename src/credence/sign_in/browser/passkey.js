(() => {
  const form = document.getElementById("passkey");
  if (!window.PublicKeyCredential) return;
  const octets = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const options = JSON.parse(form.dataset.options);
  const decoded = (list) => (list || []).map((each) => ({ ...each, id: octets(each.id) }));
  options.challenge = octets(options.challenge);
  options.excludeCredentials = decoded(options.excludeCredentials);
  options.allowCredentials = decoded(options.allowCredentials);
  if (options.user) options.user.id = octets(options.user.id);
  let waiting = new AbortController();
  const ask = async (mediation) => {
    waiting.abort();
    waiting = new AbortController();
    const asked = { publicKey: options, signal: waiting.signal };
    const creates = form.dataset.act === "create";
    if (mediation) asked.mediation = mediation;
    let made;
    try {
      made = await navigator.credentials[creates ? "create" : "get"](asked);
    } catch (problem) {
      if (!mediation && problem.name !== "AbortError") form.querySelector(".problem").hidden = false;
      return;
    }
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (made.response[name]) response[name] = text(made.response[name]);
    }
    form.elements.response.value = JSON.stringify({ id: made.id, rawId: text(made.rawId), type: made.type, response });
    form.submit();
  };
  form.hidden = false;
  form.querySelector("button").addEventListener("click", () => ask());
  if (form.dataset.act === "get" && PublicKeyCredential.isConditionalMediationAvailable) {
    PublicKeyCredential.isConditionalMediationAvailable().then((can) => can && ask("conditional"));
  }
})();
