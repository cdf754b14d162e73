// Opened from a home screen: the browser's tables come along at once, or are there already.
"use strict";

if (navigator.standalone || matchMedia("(display-mode: standalone)").matches) {
  const form = document.querySelector("#take");
  if (form) form.submit();
  else location.replace(new URL("../", document.currentScript.src));
}
