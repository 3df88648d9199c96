for (const button of document.querySelectorAll("[data-hides]")) {
  const field = document.getElementById(button.getAttribute("aria-controls"));
  const word = button.firstChild, shows = word.data;
  const turn = (visible) => {
    field.type = visible ? "text" : "password";
    word.data = visible ? button.dataset.hides : shows;
  };
  button.hidden = false;
  button.addEventListener("click", () => turn(field.type === "password"));
  field.form.addEventListener("submit", () => turn(false));
}
