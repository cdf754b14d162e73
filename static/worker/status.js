// The status for pages: whether there is a network, and the changes that are only on this phone.

function describe() {
  return { kit: phone.kit?.release ?? null, away: network.away && !phone.alone, update: Boolean(registration.waiting), ...phone.status };
}

function report() {
  return post({ type: "status", ...describe() });
}

async function post(message) {
  const pages = await clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const page of pages) page.postMessage(message);
}
