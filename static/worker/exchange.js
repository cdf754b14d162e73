// Push and pull: waiting changes go to the server, and changes of others come here.

let running;

// Called again meanwhile, it is the same. A failure is tried again when a page asks for the status.
// Whether all of it was done.
function exchange() {
  running ??= once().catch(logError).finally(() => { running = undefined; });
  return running;
}

// Others have written, or this phone has by the server: what runs already may not bring it.
const exchangeAgain = () => Promise.resolve(running).then(exchange);

// The phone says what is to be sent, and takes the answers, until there is nothing more to be sent.
async function once() {
  let done = false, answers = [];
  while (phone.kit && !phone.alone && !away) {
    const body = JSON.stringify(answers);
    const said = await (await answer({ method: "POST", url: "/offline/exchange", body })).json();
    ({ done } = said);
    if (!said.calls.length) break;
    answers = await Promise.all(said.calls.map(carry));
  }
  return done;
}

// Another table's server may be there where this one's is not.
async function carry(asked) {
  const answered = await fetchWithin(NO_OTHER_WAY, HOME + asked.path, { method: "POST", body: asked.body });
  const text = await Promise.race([answered?.text(), pause(NO_OTHER_WAY)]).catch(() => {});
  return { ...asked, status: answered?.status, text };
}

// The server has accepted a write, which is to be here too before anything else is answered. Where it
// cannot be pulled, it is written here as well, as if there had been no answer: its key is the same.
function followWrite(table, sent) {
  const pulled = Promise.race([exchangeAgain(), pause(PATIENCE)]);
  if (!phone.status.held.includes(table)) return;
  phone.following = pulled.then((done) => done || answer(sent)).catch(logError);
}

// Waiting changes are pushed at once.
function sendWaiting() {
  if (phone.status.waiting) exchange();
}
