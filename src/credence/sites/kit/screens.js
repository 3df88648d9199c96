"use strict";
(() => {
  // After a form that was answered by a page, reloading loads the screen instead of sending the form again.
  history.replaceState(history.state, "", location.href);

  // A table that can be followed is loaded again every few seconds while its button is pressed and the page is seen.
  const main = document.querySelector("main[data-follow]");
  if (!main) return;
  const button = document.createElement("button"), said = document.createElement("span");
  button.type = "button";
  button.className = "quiet follow";
  button.textContent = "Follow live";
  button.setAttribute("aria-pressed", "false");
  said.className = "unseen";
  said.setAttribute("role", "status");
  main.querySelector("h1").after(button, said);
  const section = (page) => [...page.querySelectorAll("main[data-follow] > section")].at(-1);
  let timer = 0;
  const stop = (why) => {
    clearInterval(timer);
    timer = 0;
    button.setAttribute("aria-pressed", "false");
    said.textContent = why;
  };
  const load = () => {
    if (document.hidden) return;
    const request = new XMLHttpRequest(); // parses the page without running anything of it
    request.responseType = "document";
    request.open("GET", location.href);
    request.onload = () => {
      const fresh = request.responseXML && section(request.responseXML);
      if (!timer) return;
      if (fresh) section(document).replaceWith(document.adoptNode(fresh));
      else stop("The log is no longer followed: sign in again.");
    };
    request.onerror = () => stop("The log is no longer followed: the service cannot be reached.");
    request.send();
  };
  button.addEventListener("click", () => {
    if (timer) return stop("");
    button.setAttribute("aria-pressed", "true");
    said.textContent = "The log is loaded again every few seconds.";
    timer = setInterval(load, 1000 * Number(main.dataset.follow));
    load();
  });
})();
