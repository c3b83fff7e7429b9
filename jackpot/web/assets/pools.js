// Which of the other pools are seen? All, where each fits whole; else as many as do, and the rest in turns of 12 s.
//
// Pools that take turns stand in one place: it is as large as the largest of them needs, so that nothing else moves.

import { Meter } from "./meter.js";
import { nameOf, TURN_MS } from "./sign.js";

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

/** The pools beside the main one, in `list`. */
export class Pools {
  #list; #pace;
  #made = []; // each pool's node, label and meter; made when a link first has so many, and kept
  #count = 0;
  #places = 0;
  #at = 0; // when it was the turn of those that are seen

  constructor(list, pace) {
    this.#list = list;
    this.#pace = pace;
  }

  /** The meters of the pools there are now. */
  get meters() {
    return this.#made.slice(0, this.#count).map(({ meter }) => meter);
  }

  /** Have these pools, by name. */
  name(names) {
    while (this.#made.length < names.length) this.#made.push(this.#make());
    for (const [n, name] of names.entries()) {
      const { label } = this.#made[n];
      if (label.textContent !== nameOf(name)) label.textContent = nameOf(name);
    }
    if (this.#count === names.length) return;
    this.#count = names.length;
    this.#places = -1;
  }

  /** In how many places may they stand? Most first; each number of turns once, and those as even as they can be. */
  get ways() {
    const turns = Array.from({ length: this.#count }, (_, n) => n + 1);
    return this.#count === 0 ? [0] : [...new Set(turns.map((most) => Math.ceil(this.#count / most)))];
  }

  /** Let them stand in so many places. */
  stand(places) {
    if (this.#places === places) return;
    this.#places = places;
    const made = Array.from({ length: places }, () => element("div", "place"));
    for (const [n, { node }] of this.#made.slice(0, this.#count).entries()) made[n % places].append(node);
    this.#list.replaceChildren(...made);
    document.body.dataset.pools = places === 0 ? "" : String(places);
    this.#see();
  }

  /** Let those be seen whose turn it is; while `paused` nothing changes. */
  take(now, paused) {
    if (paused) return;
    this.#at = now;
    this.#see();
  }

  #see() {
    const turn = Math.floor(this.#at / TURN_MS) % Math.ceil(this.#count / this.#places);
    for (const [n, { node }] of this.#made.slice(0, this.#count).entries()) {
      const waits = Math.floor(n / this.#places) !== turn;
      if (node.classList.contains("waits") !== waits) node.classList.toggle("waits", waits);
    }
  }

  #make() {
    const node = element("div", "pool meter");
    node.setAttribute("role", "listitem");
    const label = element("span", "label");
    const amount = element("span", "amount");
    amount.append(element("data", "unseen"));
    node.append(label, amount);
    return { node, label, meter: new Meter(node, this.#pace) };
  }
}
