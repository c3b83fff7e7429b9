// What do the terms promise, and what does a prize pay now? Read off the sign that the server makes from the terms.

import { Words } from "./words.js";

export const TURN_MS = 12_000;

export const HANDS = {
  royal_flush: "Royal flush", straight_flush: "Straight flush", four_of_a_kind: "Four of a kind",
  full_house: "Full house", flush: "Flush",
};

/** A pool's name as people read it: "grand_major" gives "grand major". */
export function nameOf(pool) {
  return pool.replace(/[_-]/g, " ");
}

/** The name of the main jackpot: that of the hand which takes its pool whole. */
export function titleOf(sign) {
  const whole = sign.prizes.find((prize) => prize.pool === sign.main_pool && prize.share_ppm === 1_000_000);
  return whole === undefined ? "Jackpot" : `${HANDS[whole.prize]} jackpot`;
}

/** The terms by name, version and fingerprint, in groups of four. */
export function termsOf(sign) {
  return `Terms ${sign.name} ${sign.version} \u00B7 ${sign.terms.match(/.{4}/g).join(" ")}`;
}

/** What prizes from a meter pay now, as phrases: "at least" where the minimum is more than the share. */
function paysOf(state, sign, money) {
  const shares = new Set(sign.prizes.filter((one) => one.kind === "share").map((one) => one.prize));
  const whole = new Set(sign.prizes.filter((one) => one.share_ppm === 1_000_000).map((one) => one.prize));
  return state.pays
    .filter((one) => shares.has(one.prize) && (one.at_least || !whole.has(one.prize))) // the meter itself says the rest
    .map((one) => `${HANDS[one.prize]} pays ${one.at_least ? `at least ${money(one.cents)}` : `${money(one.cents)} now`}`);
}

/** The line under the amount: what prizes pay now, and each 12 s in turn with it the fixed ones. Space holds it. */
export class Pays {
  #layers; #words; #pace; #pausedNote;
  #turn = 0; // of the pages: which is read
  #front = 0; // of the layers: the one that shows it; the other has the page before, to fade out
  #turnedAt = 0;
  #paused = false;
  #shape = "";
  #breaks = []; // how many phrases each page has, found for digits of any value

  constructor(node, pausedNote, pace, most) {
    this.#pace = pace;
    this.#pausedNote = pausedNote;
    this.#layers = [...node.children];
    this.#words = this.#layers.map((layer) => new Words(layer, { rows: 4, weight: 400, most }));
    addEventListener("keydown", (event) => {
      if (event.code !== "Space" || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.#paused = !this.#paused;
      this.#pausedNote.hidden = !this.#paused;
    });
  }

  /** Say what holds while the board is live; nothing of it can be promised while it is not. */
  say(live, state, sign, money, now, stamp, listed) {
    if (!live) return this.#write([[], []], stamp);
    const price = `${money(sign.wager_cents)} a hand`;
    const fixed = listed ? [] : sign.prizes.filter((one) => one.kind === "bonus")
      .map((one) => `${HANDS[one.prize]} pays ${money(one.amount_cents)}`);
    const pages = this.#pages(paysOf(state, sign, money), price, fixed, stamp);
    if (this.#paused || pages.length === 1) this.#turnedAt = now;
    if (now - this.#turnedAt >= TURN_MS || this.#turn >= pages.length) this.#change(now, pages.length);
    const before = pages[(this.#turn + pages.length - 1) % pages.length];
    const two = [pages[this.#turn], pages.length === 1 ? [] : before];
    return this.#write(this.#front === 0 ? two : two.reverse(), stamp);
  }

  /** Does nothing take its turn now? */
  get paused() {
    return this.#paused;
  }

  /** End the cross-fade. */
  rest() {
    for (const layer of this.#layers) for (const motion of layer.getAnimations()) motion.cancel();
  }

  // What does not fit at once takes turns, each time with the price: nothing is cut, and nothing left out.
  #pages(moving, price, fixed, stamp) {
    const shape = `${stamp} ${JSON.stringify([moving, price, fixed]).replace(/[0-9]/g, "0")}`;
    const lists = [[moving, [price]], [fixed, []]];
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#breaks = lists.map(([phrases, tail]) => this.#broken(phrases, tail));
    }
    return lists.flatMap(([phrases, tail], n) => {
      let from = 0;
      return this.#breaks[n].map((count) => [[...phrases.slice(from, from += count), ...tail]]);
    });
  }

  #broken(phrases, tail) {
    const counts = phrases.length === 0 && tail.length > 0 ? [0] : [];
    for (let from = 0; from < phrases.length; from += counts.at(-1)) {
      let count = phrases.length - from;
      while (count > 1 && !this.#words[0].holds([[...phrases.slice(from, from + count), ...tail]])) count -= 1;
      counts.push(count);
    }
    return counts;
  }

  #write(texts, stamp) {
    for (const [n, words] of this.#words.entries()) {
      words.say(texts[n], stamp);
      const opacity = n === this.#front ? "1" : "0";
      if (this.#layers[n].style.opacity !== opacity) this.#layers[n].style.opacity = opacity;
    }
  }

  #change(now, pages) {
    this.#turnedAt = now;
    this.#turn = this.#turn + 1 < pages ? this.#turn + 1 : 0;
    this.#front = 1 - this.#front;
    if (this.#pace.fade === 0 || document.hidden) return;
    for (const [n, layer] of this.#layers.entries()) {
      const from = n === this.#front ? 0 : 1;
      layer.animate({ opacity: [from, 1 - from] }, { duration: this.#pace.fade, easing: "ease-out" });
    }
  }
}

/** The table of prizes: shown where there is room, and always there for who hears the page. */
export class Prizes {
  #body; #cells = [];
  #fixed = []; // what the terms alone say
  #sign = null;

  constructor(table) {
    this.#body = table.tBodies[0];
  }

  /** Write the prizes of these terms, and what those from a meter pay now. */
  say(live, state, sign, money) {
    if (this.#sign !== sign) this.#rows(sign, money);
    for (const [n, prize] of sign.prizes.entries()) {
      const now = live ? state.pays.find((one) => one.prize === prize.prize) : undefined;
      const text = prize.kind === "bonus" || now === undefined ? this.#fixed[n] : `${this.#fixed[n]}: ${money(now.cents)} now`;
      if (this.#cells[n].data !== text) this.#cells[n].data = text;
    }
  }

  #rows(sign, money) {
    this.#sign = sign;
    this.#fixed = sign.prizes.map((prize) => (prize.kind === "bonus" ? money(prize.amount_cents)
      : `${partOf(prize, sign)}${leastOf(prize, money)}`));
    this.#cells = sign.prizes.map(() => document.createTextNode(""));
    this.#body.replaceChildren(...sign.prizes.map((prize, n) => {
      const row = document.createElement("tr");
      const hand = document.createElement("th");
      hand.scope = "row";
      hand.textContent = HANDS[prize.prize];
      const pays = document.createElement("td");
      pays.append(this.#cells[n]);
      row.append(hand, pays);
      return row;
    }));
  }
}

function partOf(prize, sign) {
  const pool = prize.pool === sign.main_pool ? "the jackpot" : `the ${nameOf(prize.pool)} jackpot`;
  return prize.share_ppm === 1_000_000 ? pool : `${prize.share_ppm / 10_000}% of ${pool}`;
}

function leastOf(prize, money) {
  return prize.minimum_cents === "" || prize.minimum_cents === "0" ? "" : `, at least ${money(prize.minimum_cents)}`;
}
