// How large may each amount be? Worked out from the widths of glyphs and of the page's places: measured when the page is
// laid out, never with an amount. An amount that does not fit at the floor is not shown at all: never cut or shortened.

import { emOf } from "./measure.js";

const FLOOR_PX = 28;
const MAIN_HEIGHT = 0.46; // of the board's height
const MAIN_WIDTH = 0.94; // of its width
const MINOR = 0.62; // of the main amount, so that nobody takes one for the other
const LEADING = 1.12; // .wheel's height in the style sheet

/** The places of amounts on one board. */
export class Fit {
  #board; #main; #pools;
  #boxes = null;
  #shape = "";
  fits = true;
  stamp = 0; // changes with the page's size

  constructor(board, main, pools) {
    this.#board = board;
    this.#main = main;
    this.#pools = pools;
    new ResizeObserver(() => this.forget()).observe(board);
  }

  /** Measure anew before the next amount. */
  forget() {
    this.#boxes = null;
    this.#shape = "";
    this.stamp += 1;
  }

  /** Size all amounts for these texts, the main one first; nothing is done while only digits differ. */
  size(texts) {
    const shape = texts.join(" ").replace(/[0-9]/g, "0");
    if (shape === this.#shape && this.#boxes !== null) return;
    this.#shape = shape;
    if (this.#boxes === null || this.#boxes.pools.length !== texts.length - 1) this.#measure(texts.length - 1);
    const { board, main, pools } = this.#boxes;
    const ems = texts.map((text) => emOf(text, 700));
    const size = Math.min(board.height * MAIN_HEIGHT, (Math.min(board.width, main.width) * MAIN_WIDTH) / ems[0], main.height / LEADING);
    let minor = Math.max(FLOOR_PX, size * MINOR);
    for (const [n, box] of pools.entries()) minor = Math.min(minor, (box.width * 0.96) / ems[n + 1], box.height / LEADING);
    minor = Math.min(minor, size);
    this.fits = size >= FLOOR_PX && (pools.length === 0 || minor >= FLOOR_PX);
    this.#main.style.fontSize = `${size}px`;
    if (pools.length > 0) this.#pools.style.setProperty("--minor", `${minor}px`);
    this.#board.style.setProperty("--digit", `${emOf("0", 700)}em`);
  }

  #measure(count) {
    const box = (node) => ({ width: node.clientWidth, height: node.clientHeight });
    this.#boxes = {
      board: box(this.#board.firstElementChild),
      main: box(this.#main),
      pools: [...this.#pools.children].slice(0, count).map((item) => box(item.querySelector(".amount"))),
    };
  }
}
