// The end of an evening goes to a chat by the phone's own share sheet; without it, it is saved.
"use strict";

const picture = find("#picture");

// A share sheet opens only while the tap is fresh, so the file is there before.
async function offerPicture() {
  const blob = picture.src.endsWith(".svg") ? await paint() : await (await fetch(picture.src)).blob();
  const files = [new File([blob], picture.dataset.name, { type: blob.type })];
  if (blob.type !== "image/png" || !navigator.canShare?.({ files })) return;
  const button = find("#send");
  button.addEventListener("click", () => navigator.share({ files }).catch(() => {}));
  button.hidden = false;
  find("#by-hand").hidden = true;
}

// Where no server paints it, the page does.
async function paint() {
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  Object.assign(find("#save"), { href: canvas.toDataURL("image/png"), download: picture.dataset.name });
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// What cannot be had now is offered by the page when it is opened again.
offerPicture().catch(() => {});
