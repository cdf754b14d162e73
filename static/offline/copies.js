// What pages have put by on this phone: files, and the last copy of each page. The pages put their own copies in (static/installed.js); here they are only taken out.

export const FILES = "files-1";
export const PAGES = "pages-1";
const GONE = [404, 410];
const TABLE = /^\/t\/[^/]+/;

export async function findPage(request) {
  return (await caches.open(PAGES)).match(request.url, { ignoreSearch: true });
}

// Of a table that is gone nothing is kept, nor the list of tables in which it stood.
export async function forgetGone({ status }, pathname) {
  if (!GONE.includes(status)) return;
  const [table] = TABLE.exec(pathname) ?? [pathname];
  const pages = await caches.open(PAGES);
  for (const { url } of await pages.keys()) {
    const path = new URL(url).pathname;
    if (path === "/" || `${path}/`.startsWith(`${table}/`)) await pages.delete(url);
  }
}
