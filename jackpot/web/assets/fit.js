// How large may each amount be? Worked out from the widths of glyphs and of the page's places: measured when the page is
// laid out, never with an amount. An amount that does not fit at the floor is not shown at all: never cut or shortened.

import { emOf } from "./measure.js";

const FLOOR_PX = 28;
const MAIN_HEIGHT = 0.46; // of the board's height
const MAIN_WIDTH = 0.94; // of its width
const MINOR = 0.62; // of the main amount, so that nobody takes one for the other
const LEADING = 1.12; // .wheel's height in the style sheet

const box = (node) => ({ width: node.clientWidth, height: node.clientHeight });

/** The places of amounts on one board: `pools` are those beside the main one, in `list`. */
export class Fit {
  #board; #main; #list; #pools;
  #shape = "";
  #places = 0;
  fits = true;
  stamp = 0; // changes with the page's size, and with the places of what stands on it

  constructor(board, main, list, pools) {
    this.#board = board;
    this.#main = main;
    this.#list = list;
    this.#pools = pools;
    const seen = new ResizeObserver(() => this.forget());
    seen.observe(board);
    seen.observe(board.querySelector("header")); // what it says may need another row, which the amounts have no longer
  }

  /** Measure anew before the next amount. */
  forget() {
    this.#shape = "";
    this.stamp += 1;
  }

  /** Size all amounts for these texts, the main one first; nothing is done while only digits differ. */
  size(texts) {
    const shape = texts.join(" ").replace(/[0-9]/g, "0");
    if (shape === this.#shape) return;
    this.#shape = shape;
    const ems = texts.map((text) => emOf(text, 700));
    const best = this.#best(ems);
    this.#pools.stand(best.places);
    if (this.#places !== best.places) this.stamp += 1;
    this.#places = best.places;
    this.fits = best.fits;
    this.#main.style.fontSize = `${best.size}px`;
    if (ems.length > 1) this.#list.style.setProperty("--minor", `${best.minor}px`);
    this.#board.style.setProperty("--digit", `${emOf("0", 700)}em`);
  }

  // As many at once as fit with the main amount standing out; where it cannot stand out, as many as fit at all.
  #best(ems) {
    let best = null;
    for (const places of this.#pools.ways) {
      this.#pools.stand(places);
      const tried = { places, ...this.#sizes(ems) };
      if (best === null || (tried.fits && (tried.apart || !best.fits))) best = tried;
      if (tried.fits && tried.apart) break;
    }
    return best;
  }

  #sizes(ems) {
    const board = box(this.#board.firstElementChild);
    const main = box(this.#main);
    const size = Math.min(board.height * MAIN_HEIGHT, (Math.min(board.width, main.width) * MAIN_WIDTH) / ems[0], main.height / LEADING);
    if (ems.length === 1) return { size, minor: 0, apart: true, fits: size >= FLOOR_PX };
    const apart = size * MINOR >= FLOOR_PX;
    let minor = Math.max(FLOOR_PX, size * MINOR);
    const places = [...this.#list.children].map((place) => box(place.querySelector(".amount")));
    for (const [n, em] of ems.slice(1).entries()) {
      const { width, height } = places[n % places.length];
      minor = Math.min(minor, (width * 0.96) / em, height / LEADING);
    }
    return { size, minor: Math.min(minor, size), apart, fits: Math.min(minor, size) >= FLOOR_PX };
  }
}
