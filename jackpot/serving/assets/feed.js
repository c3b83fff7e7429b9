// How does a page stay connected to its live feed? One EventSource, watched on the page's own clock, made anew for ever.
//
// A browser gives up by itself on a 502, a 204, a login page; and a silent socket raises no error at all. While its machine
// sleeps the page's own clock stands still: only the one on the wall, held against itself, tells that time has passed.

const SILENT_MS = 5_000;
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 10_000];
const LOOK_MS = 250;
const LEAK = 0.001; // two machines' clocks drift apart; without it a stream watched for days would look late for that alone

/**
 * Follow a feed: `told` has a function for each named event; it gets the data, and by how many milliseconds the stream
 * lags behind its own best: a proxy that keeps things back delivers ever later. `slept` is told how many milliseconds
 * went by unseen, before anything else is.
 */
export function follow(url, told, slept = () => {}) {
  let source = null;
  let tries = 0;
  let heard = performance.now(); // the last event that was not late
  let waiting = null;
  let least = Infinity; // what the server's elapsed time and ours have differed by at best, on this connection
  let leastAt = 0;
  let ahead = Date.now() - performance.now(); // the clock on the wall, of the page's own

  function open() {
    waiting = null;
    heard = performance.now();
    source = new EventSource(url);
    for (const name of Object.keys(told)) source.addEventListener(name, (event) => take(name, event.data));
    source.addEventListener("open", () => { least = Infinity; }); // also where the browser asked again: it may be another server
    source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) again(); });
  }

  // What was under way is of before the sleep, or nobody can tell: it is asked anew. So it is where the clock was only set.
  function woken() {
    const before = ahead;
    ahead = Date.now() - performance.now();
    if (!(ahead - before > SILENT_MS)) return false;
    slept(ahead - before);
    if (waiting === null) {
      source.close();
      open();
    }
    return true;
  }

  function take(name, text) {
    if (woken()) return;
    let data;
    try {
      data = JSON.parse(text);
    } catch {
      return; // a proxy's own words are no news
    }
    const now = performance.now();
    const lag = data.sent_ms === undefined ? 0 : lagOf(now - data.sent_ms, now);
    if (lag < SILENT_MS) heard = now;
    if (name === "beat") tries = 0;
    told[name](data, lag);
  }

  function lagOf(behind, now) {
    const best = least + (now - leastAt) * LEAK;
    if (!(behind > best)) {
      least = behind;
      leastAt = now;
      return 0;
    }
    return behind - best;
  }

  function again() {
    if (waiting !== null) return;
    source.close();
    const wait = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] * (0.8 + 0.4 * Math.random());
    tries += 1;
    waiting = setTimeout(open, wait);
  }

  open();
  setInterval(() => { if (!woken() && waiting === null && performance.now() - heard > SILENT_MS) again(); }, LOOK_MS);
}
