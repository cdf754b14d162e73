// The arrow keys walk through the sample game.
"use strict";

const LEADS = { ArrowLeft: "prev", ArrowRight: "next" };
document.addEventListener("keydown", ({ key, altKey, ctrlKey, metaKey, shiftKey }) => {
  if (!altKey && !ctrlKey && !metaKey && !shiftKey) find(`.pages [rel=${LEADS[key]}]`)?.click();
});
