"use strict";
(() => {
  // An address of an earlier version of the reference, where all was on this page.
  const old = document.getElementById("first-token") && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (old && old.matches("main a[href]")) location.replace(old.href);

  const input = document.querySelector("header input"), groups = [...document.querySelectorAll("nav .menu details")];
  const opened = new Set(groups.filter((each) => each.open));
  input.addEventListener("input", () => {
    const text = input.value.trim().toLowerCase();
    for (const group of groups) {
      const links = [...group.querySelectorAll("li")];
      for (const each of links) each.hidden = !each.textContent.toLowerCase().includes(text);
      group.hidden = links.every((each) => each.hidden);
      group.open = text ? !group.hidden : opened.has(group);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    input.focus();
  });
})();
