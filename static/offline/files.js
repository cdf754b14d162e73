// Styles, scripts and icons: the kit's own where it has them, else the server's; and the other
// parts of the kit.
import { CACHE } from "./boot.js";
import { FILES } from "./copies.js";
import { phone } from "./phone.js";

// The kit has a file of the pages under the address, content included, by which they know it.
export async function answerFile(request) {
  const { pathname, search } = new URL(request.url);
  const ours = phone.kit.files.find(({ name }) => name === pathname + search);
  return await (ours && findInKit(ours.url)) ?? elsewhere(request);
}

// A file's address changes with its content, so a copy is as good as the file.
async function elsewhere(request) {
  const files = await caches.open(FILES);
  const copy = await files.match(request);
  if (copy) return copy;
  try {
    const response = await fetch(request);
    if (response.ok && new URL(request.url).search) await replace(files, request, response.clone());
    return response;
  } catch (error) {
    const older = await files.match(request, { ignoreSearch: true });
    if (older) return older;
    throw error;
  }
}

async function replace(files, request, response) {
  for (const old of await files.keys(request, { ignoreSearch: true })) await files.delete(old);
  await files.put(request, response);
}

export async function answerFromKit(request) {
  return await findInKit(request) ?? fetch(request);
}

async function findInKit(address) {
  return (await caches.open(CACHE)).match(address);
}
