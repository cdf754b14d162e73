// What the form for house rules gains with scripts on; it works without.
"use strict";

// Groups stay as open as a person has left them, and the server says what is chosen.
htmx.config.morphIgnore.push("open");
document.addEventListener("htmx:after:swap", () => {
  for (const field of find("#rules")?.elements ?? []) {
    if (field.type === "radio" || field.type === "checkbox") field.checked = field.defaultChecked;
    for (const option of field.options ?? []) option.selected = option.defaultSelected;
  }
});

// A button that the form refuses leads to what is wrong.
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const fault = ctx.sourceElement.name === "do" && find(".fault");
  if (!fault) return;
  for (let at = fault; (at = at.parentElement.closest("details")); ) at.open = true;
  fault.parentElement.scrollIntoView({ block: "center" });
  find("[aria-invalid]")?.focus({ preventScroll: true });
});

// Writing a number, or ticking one of several, chooses that; choosing another wipes what is written.
document.addEventListener("input", ({ target }) => {
  const chips = target.closest("[data-one]");
  if (!chips) return;
  const free = find(".free", chips);
  if (target.matches("[type=radio], select:not(.free)")) {
    if (free && target.value !== "other") free.value = "";
    if (free && target.value === "other") free.focus();
  } else {
    const other = find("input[value=other], input[value=some]", chips);
    if (other) other.checked = true;
  }
});

// Who has asked for another value has yet to say which.
document.addEventListener("change", (event) => {
  const free = event.target.value === "other" && find(".free", event.target.closest("[data-one]"));
  if (free && !free.value) event.stopPropagation();
}, true);

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-print]")) print();
  const link = target.closest("a[href^='#f-']");
  const group = link && find(link.hash)?.closest("details.group");
  if (group) group.open = true;
});
