// The heads: facts that found no room are counted. They stand in a second column, which is cut off; all are
// measured before any is written.
function countFurther() {
  const found = all(".words").map((words) => [
    find(".further", words.parentElement),
    [...words.children].filter((word) => word.offsetLeft - words.offsetLeft >= words.clientWidth).length,
  ]);
  for (const [further, out] of found) {
    further.hidden = !out;
    further.textContent = `+${out} …`;
  }
}
countFurther();
afterSwap(countFurther);
addEventListener("resize", countFurther);
