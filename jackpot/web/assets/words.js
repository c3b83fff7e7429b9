// How do words fill their place? Rows of one node each, broken only between phrases, in the largest type that fits.

import { fill, textOf } from "./measure.js";

const TURN_MS = 6_000;

/**
 * Words in `node`: never more rows than `rows`, type of `weight`, never smaller than `floor` pixels. Lines that do not fit
 * at once take turns: no word is cut, and none left out.
 */
export class Words {
  #node; #rows; #how; #inset; #heard;
  #shape = null;
  #pages = []; // the lines of each turn, from one to another, and how they are laid
  #page = null;

  constructor(node, {
    rows, weight = 700, leading = 1.16, most = () => Infinity, floor = 14, between = " \u00B7 ", capitals = false, inset = 0.98,
  }) {
    this.#node = node;
    this.#how = { weight, leading, most, floor, between, capitals };
    this.#inset = inset;
    this.#rows = Array.from({ length: rows }, () => {
      const row = document.createElement("p");
      row.hidden = true;
      row.append("");
      return row;
    });
    this.#heard = document.createElement("span");
    this.#heard.className = "unseen";
    this.#heard.append("");
    this.#heard.hidden = true;
    node.replaceChildren(...this.#rows, this.#heard);
  }

  /** Say lines of phrases; `stamp` changes when the place they stand in does. What takes turns does so by `now`. */
  say(lines, stamp, now = 0) {
    const shape = `${stamp} ${JSON.stringify(lines).replace(/[0-9]/g, "0")}`;
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#pages = this.#broken(lines);
    }
    const page = this.#pages[Math.floor(now / TURN_MS) % this.#pages.length];
    if (page !== this.#page && page !== undefined) this.#node.style.fontSize = `${page.laid.size}px`;
    this.#page = page;
    this.#write(page === undefined ? [] : lines.slice(page.from, page.to), page?.laid.rows ?? []);
    this.#say(lines);
  }

  /** Do all these lines fit, at the floor at least? */
  holds(lines) {
    return this.#filled(lines).fits;
  }

  #filled(lines) {
    const { clientWidth, clientHeight } = this.#node;
    const box = { width: clientWidth * this.#inset, height: clientHeight };
    return fill(lines, box, { ...this.#how, most: this.#how.most(), mostRows: this.#rows.length });
  }

  #broken(lines) {
    const pages = [];
    for (let from = 0; from < lines.length; from = pages.at(-1).to) {
      let to = lines.length;
      let laid = this.#filled(lines.slice(from, to));
      while (!laid.fits && to > from + 1) {
        to -= 1;
        laid = this.#filled(lines.slice(from, to));
      }
      pages.push({ from, to, laid });
    }
    return pages;
  }

  // Where the rows break was found for digits of any value, so they are broken alike without measuring again.
  #write(lines, rows) {
    for (const [n, row] of this.#rows.entries()) {
      const laid = rows[n];
      const text = laid === undefined ? "" : textOf(laid, lines, this.#how.between);
      if (row.hidden !== (laid === undefined)) row.hidden = laid === undefined;
      if (row.firstChild.data !== text) row.firstChild.data = text;
    }
  }

  // Who hears the page hears all at once, and once: what takes turns is for the eye.
  #say(lines) {
    const turns = this.#pages.length > 1;
    const text = turns ? lines.map((line) => line.join(" ")).join(". ") : "";
    if (this.#heard.hidden === turns) {
      this.#heard.hidden = !turns;
      for (const row of this.#rows) row.ariaHidden = turns ? "true" : null;
    }
    if (this.#heard.firstChild.data !== text) this.#heard.firstChild.data = text;
  }
}
