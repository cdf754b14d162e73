// Enhancements of the form for house rules, which works without scripts as well.
"use strict";

// Groups stay as open as a person has left them, and the server says what is chosen.
htmx.config.morphIgnore.push("open");
afterSwap(() => {
  for (const field of find("#rules").elements) {
    if (/radio|checkbox/.test(field.type)) field.checked = field.defaultChecked;
    for (const option of field.options ?? []) option.selected = option.defaultSelected;
  }
});

// A button that the form refuses leads to the fault.
afterSwap(({ detail: { ctx } }) => {
  const fault = ctx.sourceElement.name === "do" && find(".fault");
  if (!fault) return;
  for (const group of all("details:has(.fault)")) group.open = true;
  fault.parentElement.scrollIntoView({ block: "center" });
  find("[aria-invalid]")?.focus({ preventScroll: true });
});

// Writing a number, or ticking one of several, chooses that; choosing another clears the field.
document.addEventListener("input", ({ target }) => {
  const chips = target.closest("[data-one]");
  if (!chips) return;
  const free = find(".free", chips);
  if (!target.matches("[type=radio], select:not(.free)")) {
    const other = find("[value=other], [value=some]", chips);
    if (other) other.checked = true;
  } else if (target.value === "other") free.focus();
  else if (free) free.value = "";
});

// The choice of another value counts once that is typed.
document.addEventListener("change", (event) => {
  const free = event.target.value === "other" && find(".free", event.target.closest("[data-one]"));
  if (free && !free.value) event.stopPropagation();
}, true);
