"use strict";
(() => {
  const make = (name, text, shape) => Object.assign(document.createElement(name), { textContent: text, className: shape });

  // An address of an earlier version of the reference, where all was on this page.
  const old = document.getElementById("first-token") && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (old && old.matches("main a[href]")) location.replace(old.href);

  for (const block of document.querySelectorAll("pre")) {
    const button = make("button", "Copy", "copy"), frame = make("div", "", "copied");
    button.type = "button";
    button.addEventListener("click", async () => {
      const shown = [...frame.querySelectorAll("pre")].find((each) => each.checkVisibility());
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    const whole = block.closest(".languages") || block;
    if (whole.parentElement.className === "copied") continue;
    whole.before(frame);
    frame.append(whole, button);
  }

  const choose = (language) => {
    for (const each of document.querySelectorAll(".languages input")) if (each.value === language) each.checked = true;
  };
  const kept = () => { try { return localStorage.getItem("language"); } catch { return null; } };
  choose(kept());
  document.addEventListener("change", (event) => {
    if (!event.target.matches(".languages input")) return;
    const top = event.target.getBoundingClientRect().top;
    choose(event.target.value);
    scrollBy(0, event.target.getBoundingClientRect().top - top); // the reader stays where they are
    try { localStorage.setItem("language", event.target.value); } catch { /* the choice is not remembered */ }
  });

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
