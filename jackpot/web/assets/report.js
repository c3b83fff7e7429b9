// What does the office know of this screen? What it shows, told at each change of epoch and every ten seconds.

const EVERY_MS = 10_000;
const WITHIN_MS = 8_000; // an answer that does not come is given up before the next report: they never pile up

const given = givenName();
/** What this screen calls itself. */
export const board = given ?? madeName();

/** Report what `shown` gives (null: nothing yet) to the link's server; the returned function reports at once. */
export function report(link, shown) {
  const url = `/boards/${encodeURIComponent(link)}/shown`;

  function say(more) {
    const now = shown();
    if (now === null) return;
    fetch(url, {
      method: "POST",
      body: JSON.stringify({ board, ...now, heap: performance.memory?.usedJSHeapSize ?? 0, ...more }),
      headers: { "Content-Type": "application/json" },
      signal: AbortSignal.timeout(WITHIN_MS),
      keepalive: true,
    }).catch(() => {}); // the server notices boards that say nothing
  }
  const tell = () => say({});

  setInterval(tell, EVERY_MS);
  // Somebody looked and went. A screen that the site has named is missed however it went.
  if (given === null) addEventListener("pagehide", () => say({ leaving: true }));
  return tell;
}

function givenName() {
  const given = new URLSearchParams(location.search).get("board");
  return given !== null && /^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$/.test(given) ? given : null;
}

// The player names its screen in the address; a screen nobody named has a name for as long as its browser runs.
function madeName() {
  let made = sessionStorage.getItem("board");
  if (made === null) {
    made = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem("board", made);
  }
  return made;
}
