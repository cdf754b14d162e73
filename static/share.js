// Sharing a link: by the phone's own share sheet, copied where there is none, or on paper.

const HANDS_ON = "[data-share], [data-copies], [data-print]";

function offerSharing() {
  for (const button of all(`[hidden]:is(${HANDS_ON})`)) {
    if ("share" in button.dataset && !navigator.share) button.textContent = document.body.dataset.copy;
    button.hidden = false;
  }
}
offerSharing();
afterSwap(offerSharing);

onTap(HANDS_ON, async (button) => {
  if ("print" in button.dataset) return print();
  // A link or a number, or else the words beside the button.
  const { share: url, copies } = button.dataset;
  const field = find("input, textarea, output", button.parentElement);
  const what = url ? { title: document.title, url } : { text: field.value };
  if (navigator.share && !copies) return navigator.share(what).catch(() => {});
  const words = copies || url || field.value;
  if (await copied(words, field)) button.textContent = document.body.dataset.copied;
});

async function copied(words, field) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    // Outside https there is no clipboard, but a selection can be copied.
    if (field.select) field.select();
    else getSelection().selectAllChildren(field);
    return document.execCommand("copy");
  }
}
