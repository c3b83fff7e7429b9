// What is said under the meter while the board is live? A hit, a win, a jackpot that goes on, a new one, and why an amount
// fell: a correction for as long as people may ask, a voided round's few cents in passing.
//
// Announcements are read off the state, once per hit; how long ago each began the server says, so that a page loaded in
// the middle of a win says what the others say.

import { HANDS, nameOf } from "./sign.js";

const WON_MS = 60_000;
const RELEASED_MS = 20_000;
const NEW_MS = 60_000;
const CORRECTED_MS = 600_000;
const RETURNED_MS = 20_000;
const AT_ONCE = 3;
const LATEST_MS = 120_000; // no win waits longer to be said: while many wait, each makes way sooner
const MOST_WINS = 50;
const WHOLE_PPM = 1_000_000;

/**
 * The band of one board: `of` gives `{ kind, lines }`, or null when there is nothing to say. `holds` says whether lines
 * have room at once.
 */
export class Band {
  #holds;
  #wins = new Map(); // by hit: its line, when it was won, whether it had to wait, since when it is up (null: not yet), and over
  #told = new Map(); // when this page first heard of a thing; the ids of the newest state only
  #from = new Map(); // what a pool's epoch began at: a server that was not there then cannot say it again
  #corrections = new Map(); // by pool: when its last one was; a voided round after it, or another server, does not hide it
  #heard = null;

  constructor(holds) {
    this.#holds = holds;
  }

  of(state, sign, money, clock, now, wall) {
    if (this.#heard !== state) this.#hear(state, now);
    const hits = state.hits.map((hit) => [hit, sign.prizes.find((prize) => prize.prize === hit.prize)])
      .filter(([, prize]) => prize !== undefined && prize.kind === "share");
    const won = this.#won(hits, sign, money, now);
    const fresh = this.#reseeded(state, sign, money, now);
    const corrected = this.#corrected(clock, now, wall);
    const beside = corrected.map(([amount]) => [amount]); // there is little room on the smallest screens
    if (won.length > 0) {
      const all = [...won, ...fresh, ...beside]; // where not all has room, wins that wait take no turns with the rest
      return { kind: "won", lines: this.#waiting.length > 0 && !this.#holds(all) ? won : all };
    }
    const checking = this.#checking(hits, sign, money);
    if (checking.length > 0) return { kind: "pending", lines: [...checking, ...fresh, ...beside] };
    const released = hits.filter(([hit]) => hit.stage === "released" && this.#age(stageOf(hit), now) < RELEASED_MS)
      .map(([hit]) => [`TABLE ${hit.table} CHECKED: NO JACKPOT`, "THE JACKPOT GOES ON"]);
    if (released.length > 0) return { kind: "released", lines: atMost(released) };
    if (fresh.length > 0) return { kind: "new", lines: [...fresh, ...beside] };
    if (corrected.length > 0) return { kind: "corrected", lines: corrected };
    const returned = this.#returned(state, now);
    return returned.length > 0 ? { kind: "returned", lines: returned } : null;
  }

  // What is spoken of no longer is forgotten, so that memory stays as large as one state.
  #hear(state, now) {
    this.#heard = state;
    const ages = new Map();
    for (const hit of state.hits) ages.set(stageOf(hit), hit.stage_age_ms);
    for (const pool of state.pools) {
      ages.set(correctionOf(pool), pool.corrected_age_ms);
      ages.set(fallOf(pool), pool.fall_age_ms);
      ages.set(epochOf(pool), pool.epoch_age_ms);
      if (pool.epoch_cents !== null && !this.#from.has(epochOf(pool))) this.#from.set(epochOf(pool), pool.epoch_cents);
    }
    for (const known of [this.#told, this.#from]) {
      for (const key of known.keys()) if (!ages.has(key)) known.delete(key);
    }
    for (const [key, age] of ages) {
      if (!this.#told.has(key)) this.#told.set(key, age === null ? -Infinity : now - age);
    }
    for (const pool of state.pools) {
      if (pool.corrected_commit !== 0) this.#corrections.set(pool.pool, this.#told.get(correctionOf(pool)));
    }
  }

  #age(key, now) {
    return now - (this.#told.get(key) ?? -Infinity);
  }

  #won(hits, sign, money, now) {
    for (const [hit, prize] of hits) {
      const age = this.#age(stageOf(hit), now);
      if (hit.stage !== "won") this.#wins.delete(hit.hit);
      else if (!this.#wins.has(hit.hit) && age < WON_MS && this.#wins.size < MOST_WINS) {
        const line = [...named("\u2605 ", prize, hit.pool, sign, `WIN ${money(hit.amount_cents)}`), `TABLE ${hit.table}`];
        this.#wins.set(hit.hit, { line, at: now - age, late: false, up: null, over: false });
      }
    }
    const room = this.#room();
    const standing = [...this.#wins.values()].filter((win) => win.up !== null && !win.over);
    for (const win of standing) win.over = now - win.up >= this.#stay(win, room);
    const free = room - standing.filter((win) => !win.over).length;
    for (const win of this.#waiting.slice(0, Math.max(0, free))) win.up = win.late ? now : win.at;
    for (const win of this.#waiting) win.late = true;
    for (const [id, win] of this.#wins) {
      if (win.over && !(this.#age(`${id} won`, now) < WON_MS)) this.#wins.delete(id); // nor is it said again
    }
    const lines = [...this.#wins.values()].filter((win) => win.up !== null && !win.over).map((win) => win.line);
    return [...lines, ...this.#more(this.#waiting.length)];
  }

  get #waiting() {
    return [...this.#wins.values()].filter((win) => win.up === null);
  }

  // For how long is a win up? The last of those that wait for its place is still in time then.
  #stay(win, room) {
    const due = this.#waiting.map(({ at }, n) => (at + LATEST_MS - win.up) / Math.ceil((n + 1) / room));
    return Math.min(WON_MS, ...due);
  }

  // How many are up together: as many as there is room for, with the count of the rest.
  #room() {
    const due = [...this.#wins.values()].filter((win) => !win.over).map((win) => win.line);
    let room = AT_ONCE;
    while (room > 1 && !this.#holds([...due.slice(0, room), ...this.#more(due.length - room)])) room -= 1;
    return room;
  }

  #more(count) {
    return count > 0 ? [[`+${count} MORE`]] : [];
  }

  #checking(hits, sign, money) {
    return atMost(hits.filter(([hit]) => hit.stage === "checking").map(([hit, prize]) => [
      ...named("\u25D0 ", prize, hit.pool, sign, "HIT"), `TABLE ${hit.table}`, "BEING CHECKED",
      ...(hit.state === "claimed" ? [] : [money(hit.amount_cents)]), // a claim has no amount yet
    ]));
  }

  #corrected(clock, now, wall) {
    const age = now - Math.max(...this.#corrections.values());
    if (!(age < CORRECTED_MS)) return [];
    return [[`\u25B2 AMOUNT CORRECTED ${clock(new Date(wall - age)).slice(0, 5)}`, "NOTICE AT THE TABLE"]];
  }

  // Wagers of a voided or withdrawn round went back, and what they had put in with them. Cents: said, never above a hit.
  #returned(state, now) {
    const fell = state.pools.some((pool) => pool.last_fall_cause === "reversal" && this.#age(fallOf(pool), now) < RETURNED_MS);
    return fell ? [["WAGERS OF A ROUND RETURNED", "THE JACKPOT GOES ON"]] : [];
  }

  #reseeded(state, sign, money, now) {
    const fresh = state.pools.filter((pool) => this.#from.has(epochOf(pool)) && this.#age(epochOf(pool), now) < NEW_MS);
    if (fresh.length > AT_ONCE) return [[`${fresh.length} NEW JACKPOTS`]]; // as where other terms begin: no hit is lost among them
    return fresh.map((pool) => jackpot("NEW ", pool.pool, sign, `FROM ${money(this.#from.get(epochOf(pool)))}`));
  }
}

// A prize that takes its whole pool is that pool's jackpot; one that takes a part is named by its hand.
function named(mark, prize, pool, sign, said) {
  if (prize.share_ppm !== WHOLE_PPM) return [`${mark}${HANDS[prize.prize].toUpperCase()} ${said}`];
  return jackpot(mark, pool, sign, said);
}

// In phrases that run on: a long name is broken between its words where the screen is narrow.
function jackpot(mark, pool, sign, said) {
  const words = pool === sign.main_pool ? [] : nameOf(pool).toUpperCase().split(" ");
  const phrases = [...words.map((word) => `${word} `), `JACKPOT ${said}`];
  return [`${mark}${phrases[0]}`, ...phrases.slice(1)];
}

function atMost(lines) {
  return lines.length <= AT_ONCE ? lines : [...lines.slice(0, AT_ONCE), [`+${lines.length - AT_ONCE} MORE`]];
}

const stageOf = (hit) => `${hit.hit} ${hit.stage}`;
const fallOf = (pool) => `${pool.pool} fall ${pool.last_fall_commit}`;
const correctionOf = (pool) => `${pool.pool} fall ${pool.corrected_commit}`;
const epochOf = (pool) => `${pool.pool} epoch ${pool.epoch}`;
