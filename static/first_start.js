// Opened from a home screen: what the browser had comes along at once, or is there already.
"use strict";

if (navigator.standalone || matchMedia("(display-mode: standalone)").matches) {
  const form = document.querySelector("#take");
  if (form) form.requestSubmit();
  else location.replace(new URL("../", document.currentScript.src));
}
