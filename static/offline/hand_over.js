// What is only on this phone goes to the server, in order, until nothing is left or it must wait.
import { ask, network } from "./network.js";
import { change, inTurn, readStatus, run } from "./phone.js";
import { refresh } from "./replicas.js";

// Milliseconds: so long an answer is waited for, and so long after none it is tried again.
const PATIENCE = 30000;
const LONGEST_REST = 60000;
let handing, again;
let failures = 0;

// Hand over now; called again meanwhile, it is the same.
export function handOver() {
  handing ??= inOrder().finally(() => { handing = undefined; });
  return handing;
}

// Something was kept while there is a network, as when a person has decided about a table: what of
// it can go goes now, unless what failed just before is waited for.
export function handOverMore({ only_here: here, conflicts }) {
  if (!again && here.some((table) => !conflicts.includes(table))) handOver();
}

async function inOrder() {
  clearTimeout(again);
  again = undefined;
  if (network.away || !(await readStatus())?.waiting) return;
  try {
    do {
      while (await oneRound());
      failures = 0;
      await refresh();
    // What came meanwhile.
    } while (await oneRound());
  } catch {
    failures += 1;
    again = setTimeout(handOver, Math.min(LONGEST_REST, 1000 * 2 ** failures));
  }
}

// Send each table's batch, and tell the application what became of it; whether there was any. Throws
// what one of them met, when all have been sent.
async function oneRound() {
  const { text } = await inTurn(() => change((running) => ({ text: run(running, "outbox"), changed: true })));
  const batches = JSON.parse(text);
  let failure;
  // Where one table's server is out of order, another's may not be.
  for (const batch of batches) await send(batch).catch((error) => { failure = error; });
  if (failure) throw failure;
  return batches.length > 0;
}

async function send(batch) {
  const request = new Request(`/offline/tables/${batch.link}`, {
    method: "POST", body: JSON.stringify(batch), headers: { "Content-Type": "application/json" },
  });
  const response = await ask(request, PATIENCE);
  const answer = await response.text();
  // What is no answer of ours is raised, and sent again later.
  await inTurn(() => change((running) => {
    run(running, "acknowledge", batch.link, response.status, answer);
    return { changed: true };
  }));
}
