// Enhancements of the questions and the form for house rules, which work without scripts as well.
"use strict";

// Writing a number, or ticking one of several, chooses that; choosing another clears the field.
document.addEventListener("input", ({ target }) => {
  const chips = target.closest("[data-one]");
  if (!chips) return;
  const free = find(".free", chips);
  if (!target.matches("[type=radio]")) {
    const other = find("[value=other], [value=some]", chips);
    if (other) other.checked = true;
  } else if (target.value === "other") free.focus();
  else if (free) free.value = "";
});

// The choice of another value counts once that is typed.
document.addEventListener("change", (event) => {
  const { target } = event;
  if (!target.matches("[data-one] [value=other]")) return;
  if (!find(".free", target.closest("[data-one]")).value) event.stopPropagation();
}, true);
