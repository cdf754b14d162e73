// Enhancements of the questions and the form for house rules, which work without scripts as well.
"use strict";

// The score keeper takes what was written last for what is meant; choosing otherwise clears it.
on("input", ({ target }) => {
  if (!target.matches("[data-one] [type=radio]")) return;
  const free = find(".free", target.closest("[data-one]"));
  if (target.value === "other") free.focus();
  else if (free) free.value = "";
});

// The choice of another value counts once that is typed.
on("change", (event) => {
  const { target } = event;
  if (!target.matches("[data-one] [value=other]")) return;
  if (!find(".free", target.closest("[data-one]")).value) event.stopPropagation();
}, true);
