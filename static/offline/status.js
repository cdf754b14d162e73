// What the pages are told: whether there is a network, and what is only on this phone.
import { network } from "./network.js";
import { phone, readStatus } from "./phone.js";

const NOTHING = { waiting: 0, since: null, only_here: [], pending: [], conflicts: [], held: [] };

// Whether this phone has the table, and its pen.
export async function isHeld(table) {
  return (await kept()).held.includes(table);
}

// Whether a table is this phone's to answer for, network or not: what it has of it is nowhere else.
export async function mustAnswer(table) {
  return isOnlyHere(await kept(), table);
}

// The same as far as it is known by now.
export function mustAnswerNow(table) {
  return isOnlyHere({ ...NOTHING, ...phone.status }, table);
}

function isOnlyHere({ only_here: here, pending, conflicts }, table) {
  return [...here, ...pending, ...conflicts].includes(table);
}

async function kept() {
  return { ...NOTHING, ...await readStatus().catch(() => undefined) };
}

export async function describe() {
  return {
    kit: phone.kit.release,
    away: network.away,
    ...await kept(),
    update: Boolean(registration.waiting),
    storage: await room(),
    phases: phone.phases,
  };
}

async function room() {
  const { usage, quota } = await navigator.storage?.estimate?.() ?? {};
  return { usage, quota, persisted: await navigator.storage?.persisted?.() ?? false };
}

export async function tell() {
  const message = { type: "status", ...await describe() };
  for (const client of await pages()) client.postMessage(message);
}

export function pages() {
  return clients.matchAll({ includeUncontrolled: true, type: "window" });
}
