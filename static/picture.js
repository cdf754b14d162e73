// The end of an evening goes to a chat by the phone's own share sheet; without it, it is saved.
"use strict";

const picture = find("#picture");
const words = find("#words");

// A share sheet opens only while the tap is fresh, so the file is there before.
async function offerPicture() {
  const blob = picture.src.endsWith(".svg") ? await paint() : await (await fetch(picture.src)).blob();
  if (blob.type !== "image/png") return;
  const files = [new File([blob], picture.dataset.name, { type: blob.type })];
  if (navigator.canShare?.({ files })) {
    const button = find("#send");
    button.addEventListener("click", () => navigator.share({ files }).catch(() => {}));
    button.hidden = false;
    find("#by-hand").hidden = true;
  }
}

// Where no server paints it, the page does.
async function paint() {
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  Object.assign(find("#save"), { href: canvas.toDataURL("image/png"), download: picture.dataset.name });
  return blob;
}

const tell = find("#tell");
if (!navigator.share) tell.textContent = document.body.dataset.copy;
tell.hidden = false;
tell.addEventListener("click", async () => {
  if (navigator.share) return navigator.share({ text: words.value }).catch(() => {});
  if (await copied(words.value, words)) tell.textContent = document.body.dataset.copied;
});

// What cannot be had now is offered by the page when it is opened again.
offerPicture().catch(() => {});
