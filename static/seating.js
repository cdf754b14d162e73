// Enhancements of seating: a tap is made on the form as the taps before it have left it.
"use strict";

// One that has waited brings what the form had as it was tapped.
on("htmx:before:request", ({ detail: { ctx: { request } } }) => {
  const fields = new FormData(find("#start"));
  for (const asked of ["do", "apart"]) {
    if (request.body.has(asked)) fields.set(asked, request.body.get(asked));
  }
  request.body = new URLSearchParams(fields);
});

// The choice of the first dealer follows the names as they are typed.
on("input", () => {
  const dealers = all("#start [name=dealer]:not([value=draw])");
  all("#start [name=player]").forEach(({ value }, seat) => {
    const { nextElementSibling, parentElement } = dealers[seat];
    nextElementSibling.textContent = value.trim() || seat + 1;
    parentElement.classList.toggle("nobody", !value.trim());
  });
});

// Details opened at the foot of the screen lie below it.
on("toggle", ({ target }) => {
  if (target.open) target.scrollIntoView({ block: "nearest" });
}, true);

// Enter goes on to the next name.
on("keydown", (event) => {
  if (event.key !== "Enter" || event.target.name !== "player") return;
  event.preventDefault();
  const { nextElementSibling } = event.target.parentElement;
  if (nextElementSibling) find("[name=player]", nextElementSibling).focus();
});
