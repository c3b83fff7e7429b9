// How do words fill their place? Rows of one node each, broken only between phrases, in the largest type that fits.

import { fill, textOf } from "./measure.js";

/** Words in `node`: never more rows than `rows`, type of `weight`, never smaller than `floor` pixels. */
export class Words {
  #node; #rows; #how; #inset;
  #shape = null;
  #laid = { rows: [], size: 0 };

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
    node.replaceChildren(...this.#rows);
  }

  /** Say lines of phrases; `stamp` changes when the place they stand in does. */
  say(lines, stamp) {
    const shape = `${stamp} ${JSON.stringify(lines).replace(/[0-9]/g, "0")}`;
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#lay(lines);
    }
    this.#write(lines);
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

  #lay(lines) {
    if (lines.length === 0) {
      this.#laid = { rows: [], size: 0 };
      return;
    }
    // What comes last matters least: rather than cut a word, the smallest screens do without it.
    for (let kept = lines.length; kept > 0; kept -= 1) {
      this.#laid = this.#filled(lines.slice(0, kept));
      if (this.#laid.fits) break;
    }
    this.#node.style.fontSize = `${this.#laid.size}px`;
  }

  // Where the rows break was found for digits of any value, so they are broken alike without measuring again.
  #write(lines) {
    for (const [n, row] of this.#rows.entries()) {
      const laid = this.#laid.rows[n];
      const text = laid === undefined ? "" : textOf(laid, lines, this.#how.between);
      if (row.hidden !== (laid === undefined)) row.hidden = laid === undefined;
      if (row.firstChild.data !== text) row.firstChild.data = text;
    }
  }
}
