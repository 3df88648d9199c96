"use strict";
(() => {
  const form = document.querySelector("form[data-suggests]");
  const input = form && form.querySelector("input");
  if (!input) return;
  const list = document.createElement("ul");
  const said = document.createElement("p");
  list.className = "suggested";
  said.className = "unseen";
  said.setAttribute("role", "status");
  input.after(list, said);
  let waiting = 0, asked = 0;
  const show = (companies) => {
    list.replaceChildren(...companies.map((each) => {
      const item = document.createElement("li"), link = document.createElement("a"), more = document.createElement("span");
      link.href = "/workbench/companies/" + encodeURIComponent(each.RegNumber);
      link.textContent = each.Name;
      more.textContent = [each.RegNumber, each.Event || each.Status, each.Band && `band ${each.Band}`, each.Address].filter(Boolean).join(" · ");
      item.append(link, more);
      return item;
    }));
    said.textContent = companies.length ? companies.length + " suggested below" : "";
  };
  const ask = async () => {
    const mine = ++asked, text = input.value.trim();
    let found = [];
    if (text.length > 1) {
      try {
        const answer = await fetch(form.dataset.suggests + "?q=" + encodeURIComponent(text));
        if (answer.ok && !answer.redirected) found = await answer.json();
      } catch { /* the button searches as well */ }
    }
    if (mine === asked) show(found);
  };
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(ask, 250); });
  input.parentElement.addEventListener("focusout", (event) => {
    if (!input.parentElement.contains(event.relatedTarget)) { ++asked; show([]); }
  });
  form.addEventListener("keydown", (event) => { if (event.key === "Escape") { ++asked; show([]); input.focus(); } });
})();
