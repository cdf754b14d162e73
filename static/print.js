// The score sheet goes to the printer that the phone knows.
"use strict";

const button = find("#print");
button.addEventListener("click", () => print());
button.hidden = false;
