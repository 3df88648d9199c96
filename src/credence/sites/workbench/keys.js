"use strict";
(() => {
  // Keys for people who work through lists. A button turns them off, and the browser remembers it (WCAG 2.1.4).
  if (!document.querySelector("nav[aria-label=Screens]")) return;
  const kept = "keys-off", said = document.createElement("p"), button = document.createElement("button");
  let off = Boolean(localStorage.getItem(kept));
  said.className = "keys";
  button.className = "quiet";
  const say = () => {
    button.textContent = off ? "Turn shortcuts on" : "Turn off";
    said.replaceChildren(off ? "" : "Keys: / search · j, k next and previous row · d decide on the limit ", button);
  };
  say();
  document.querySelector("footer").append(said);
  button.addEventListener("click", () => {
    off = !off;
    if (off) localStorage.setItem(kept, "1"); else localStorage.removeItem(kept);
    say();
    button.focus();
  });
  const go = (by) => {
    const links = [...document.querySelectorAll("main tbody tr")].map((row) => row.querySelector("a[href]")).filter(Boolean);
    const here = links.findIndex((link) => link.closest("tr").contains(document.activeElement));
    links[here < 0 ? 0 : here + by]?.focus();
  };
  const to = (input, address) => { if (input) { input.focus(); input.select(); } else if (address) location.assign(address); };
  const company = () => {
    const links = [...(document.activeElement.closest("tr")?.querySelectorAll("a[href]") ?? []), location];
    const found = links.map((link) => link.pathname.match(/^\/workbench\/(?:companies|company-alerts)\/([^/]+)/)).find(Boolean);
    return found && `/workbench/companies/${found[1]}#decide-amount`;
  };
  const acts = {
    "/": () => to(document.querySelector("form.query input"), "/workbench#query-q"),
    j: () => go(1),
    k: () => go(-1),
    d: () => to(document.getElementById("decide-amount"), company()),
  };
  document.addEventListener("keydown", (event) => {
    if (off || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (!Object.hasOwn(acts, event.key)) return;
    event.preventDefault();
    acts[event.key]();
  });
  if (/^#(query-q|decide-amount)$/.test(location.hash)) document.querySelector(location.hash)?.focus();
})();
