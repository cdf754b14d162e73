// The end of an evening goes to a chat by the phone's own share sheet; without it, it is saved.
"use strict";

const picture = find("#picture");

// A share sheet opens only while the tap is fresh, so the file is there before.
async function offerPicture() {
  const type = "image/png";
  const files = [new File([await paint(type)], picture.dataset.name, { type })];
  if (!navigator.canShare?.({ files })) return;
  const button = find("#send");
  button.addEventListener("click", () => navigator.share({ files }).catch(() => {}));
  button.hidden = false;
  find("#by-hand").hidden = true;
}

// On a phone by itself no server has painted it.
async function paint(type) {
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  Object.assign(find("#save"), { href: canvas.toDataURL(type), download: picture.dataset.name });
  return new Promise((done) => canvas.toBlob(done, type));
}

// A picture that cannot be had now is offered when the page is opened again.
offerPicture().catch(() => {});
