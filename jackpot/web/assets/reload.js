// When is the page loaded anew? For another version of its assets, and at five each morning; only while the board is
// live, and only into a page that was fetched and works: a reload while the server is down leaves a dead error page.

const SPREAD_MS = 5_000; // the screens of a house do not all ask in one moment
const AGAIN_MS = 10_000;
const APART_MS = 60_000; // two servers of different versions behind one address must not have it load for ever
const MORNING_S = 5 * 3600;
const MORNING_LASTS_S = 600;
const YOUNG_MS = 3_600_000;

/** Whether a page that was fetched is this board's, with all it names, and of which version; null where it is not. */
async function versionThere() {
  const answer = await fetch(location.href, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(8_000) });
  if (answer.status !== 200) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const named = [...page.querySelectorAll("script[src], link[rel=stylesheet]")]
    .map((node) => node.getAttribute("src") ?? node.getAttribute("href"));
  if (page.body.dataset.link !== document.body.dataset.link || named.length === 0) return null;
  for (const url of named) {
    const asset = await fetch(url, { signal: AbortSignal.timeout(8_000) });
    if (asset.status !== 200) return null;
  }
  return page.body.dataset.page;
}

/** Watches for a reason to load anew; `live` says whether the board is, `clock` writes a time of the link's zone. */
export class Reload {
  #live; #clock;
  #version = document.body.dataset.page;
  #notBefore = null; // there is a reason, and this is when it may be followed
  #morning = MORNING_S + Math.floor(Math.random() * 60);

  constructor(live, clock) {
    this.#live = live;
    this.#clock = clock;
  }

  /** Take the version that the feed names. */
  see(version, now) {
    if (version !== this.#version && this.#notBefore === null) this.#notBefore = now + Math.random() * SPREAD_MS;
  }

  /** Load anew if there is a reason and it is the moment; called a few times a second. */
  look(now) {
    const morning = this.#isMorning(now);
    if (this.#notBefore === null && morning) this.#notBefore = now;
    if (this.#notBefore === null || now < this.#notBefore || !this.#live() || sinceLoadedAnew() < APART_MS) return;
    this.#notBefore = now + AGAIN_MS;
    versionThere().then((version) => {
      if (version === null || !this.#live()) return;
      if (version === this.#version && !morning) {
        this.#notBefore = null; // the feed speaks for another server than the page does
        return;
      }
      sessionStorage.setItem("loaded_anew", String(Date.now()));
      location.reload();
    }).catch(() => {}); // it is asked again
  }

  #isMorning(now) {
    if (now < YOUNG_MS || sinceLoadedAnew() < YOUNG_MS) return false;
    const [hours, minutes, seconds] = this.#clock(new Date()).split(":").map(Number);
    const late = hours * 3600 + minutes * 60 + seconds - this.#morning;
    return late >= 0 && late < MORNING_LASTS_S;
  }
}

function sinceLoadedAnew() {
  return Math.abs(Date.now() - Number(sessionStorage.getItem("loaded_anew") ?? 0));
}
