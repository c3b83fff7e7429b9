// The live feed of a page: one EventSource, watched on the page's own clock, made anew for ever.
//
// A browser gives up by itself on a 502, a 204, a login page; and a silent socket raises no error at all.

const SILENT_MS = 5_000;
const BEHIND_MS = 5_000;
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 10_000];

/** Follow a feed: `told` has a function for each named event; it gets the data, and whether the stream is late. */
export function follow(url, told) {
  let source = null;
  let tries = 0;
  let heard = performance.now();
  let waiting = null;
  let least = Infinity; // the least that the server's elapsed time and ours have differed by, on this connection

  function open() {
    waiting = null;
    heard = performance.now();
    least = Infinity;
    source = new EventSource(url);
    for (const name of ["terms", "state", "beat"]) source.addEventListener(name, (event) => take(name, event.data));
    source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) again(); });
  }

  function take(name, text) {
    heard = performance.now();
    const data = JSON.parse(text);
    let late = false;
    if (data.sent_ms !== undefined) {
      const behind = heard - data.sent_ms;
      least = Math.min(least, behind);
      late = behind - least > BEHIND_MS; // a proxy that keeps things back delivers ever later
    }
    if (name === "beat") tries = 0;
    told[name]?.(data, late);
  }

  function again() {
    if (waiting !== null) return;
    source.close();
    const wait = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] * (0.8 + 0.4 * Math.random());
    tries += 1;
    waiting = setTimeout(open, wait);
  }

  open();
  setInterval(() => { if (waiting === null && performance.now() - heard > SILENT_MS) again(); }, 500);
}
