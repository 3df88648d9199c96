"use strict";
(() => {
  // A button that copies what a block shows.
  for (const block of document.querySelectorAll("pre, code.secret, dd > code")) {
    const button = document.createElement("button"), frame = document.createElement(block.matches("pre") ? "div" : "span");
    button.type = "button";
    button.className = block.matches("pre") ? "copy" : "quiet";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    if (block.matches("pre")) {
      frame.className = "copied";
      block.before(frame);
      frame.append(block, button);
    } else block.after(" ", button);
  }

  // The language that was chosen is chosen everywhere, and on the next page.
  const choose = (language) => {
    for (const each of document.querySelectorAll(".languages input")) if (each.value === language) each.checked = true;
  };
  try { choose(localStorage.getItem("language")); } catch { /* the first is chosen */ }
  document.addEventListener("change", (event) => {
    if (!event.target.matches(".languages input")) return;
    const top = event.target.getBoundingClientRect().top;
    choose(event.target.value);
    scrollBy(0, event.target.getBoundingClientRect().top - top); // the reader stays where they are
    try { localStorage.setItem("language", event.target.value); } catch { /* the choice is not remembered */ }
  });
})();
