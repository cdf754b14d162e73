// What can be said without the application: pages for when it cannot be asked, in every language.

const WORDS = {
  sv: {
    full: "Telefonens lagring är full: det sista sparades inte. Allt som stod här förut finns kvar. Gör plats på telefonen och försök igen.",
    broken: "Telefonen kunde inte spara: det sista sparades inte. Allt som stod här förut finns kvar. Försök igen.",
    unreadable: "Det som finns sparat på telefonen går inte att öppna. Inget är borttaget: spara filen, och visa den för den som sköter poängräknaren.",
    incomplete: "En del av poängräknaren saknas på telefonen. Öppna sidan när det finns nät, så hämtas den igen.",
    failed: "Något gick fel. Det som är skrivet finns kvar.",
    unknown: "Sidan finns inte på den här telefonen, och det finns inget nät just nu.",
    file: "Spara filen",
    anew: "Börja om utan den (den ligger kvar på telefonen)",
    again: "Försök igen",
    start: "Till startsidan",
  },
  en: {
    full: "The phone's storage is full: the last thing was not saved. All that stood here before is kept. Make room on the phone and try again.",
    broken: "The phone could not save: the last thing was not saved. All that stood here before is kept. Try again.",
    unreadable: "What is saved on the phone cannot be opened. Nothing has been removed: save the file, and show it to whoever looks after the score keeper.",
    incomplete: "A part of the score keeper is missing on the phone. Open the page when there is a network, and it is fetched again.",
    failed: "Something went wrong. What was written is kept.",
    unknown: "This page is not on this phone, and there is no network just now.",
    file: "Save the file",
    anew: "Begin anew without it (it stays on the phone)",
    again: "Try again",
    start: "To the start",
  },
  fi: {
    full: "Puhelimen muisti on täynnä: viimeisin ei tallentunut. Kaikki aiempi on tallessa. Tee tilaa puhelimeen ja yritä uudelleen.",
    broken: "Puhelin ei voinut tallentaa: viimeisin ei tallentunut. Kaikki aiempi on tallessa. Yritä uudelleen.",
    unreadable: "Puhelimeen tallennettua ei voi avata. Mitään ei ole poistettu: tallenna tiedosto ja näytä se pistelaskurin ylläpitäjälle.",
    incomplete: "Osa pistelaskurista puuttuu puhelimesta. Avaa sivu, kun verkko on, niin se haetaan uudelleen.",
    failed: "Jokin meni vikaan. Kaikki kirjattu on tallessa.",
    unknown: "Tätä sivua ei ole tässä puhelimessa, eikä verkkoa nyt ole.",
    file: "Tallenna tiedosto",
    anew: "Aloita alusta ilman sitä (se jää puhelimeen)",
    again: "Yritä uudelleen",
    start: "Alkuun",
  },
};
// Insufficient Storage (RFC 4918, 11.5) and Service Unavailable.
const STATUSES = { full: 507, broken: 507 };
const OTHERWISE = 503;
// To the script of a table, which takes the others for no answer and sends the same again.
const REFUSED = 422;
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
};

// Say why a request could not be answered: as a page, or as the part of one that htmx swaps.
export function explain(reason, request, styles = []) {
  const language = Object.keys(WORDS).find((code) => navigator.language.startsWith(code)) ?? "sv";
  const words = WORDS[language];
  const links = [
    reason === "unreadable" ? `<p><a href="/offline/file">${words.file}</a></p><form method="post" action="/offline/aside"><button>${words.anew}</button></form>` : "",
    `<p><a href="">${words.again}</a> · <a href="/">${words.start}</a></p>`,
  ];
  const main = `<main id="table" class="lost"><h1>Chicago</h1><p class="said" role="status">${words[reason]}</p>${links.join("")}</main>`;
  const part = request.headers.has("HX-Request");
  const status = part ? REFUSED : STATUSES[reason] ?? OTHERWISE;
  return new Response(part ? main : page(language, styles, main), { status, headers: HEADERS });
}

function page(language, styles, main) {
  const sheets = styles.map((address) => `<link rel="stylesheet" href="${address}">`).join("");
  return `<!DOCTYPE html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Chicago</title>${sheets}<body class="page">${main}</body></html>`;
}
