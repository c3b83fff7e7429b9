// What does a row of wheels look like at a number of cents? One scalar drives all of them, with mechanical carry.
//
// A wheel has two glyph cells, this digit and the next, and moves only while every wheel below it passes from 9 to 0:
// so at no moment do the wheels spell more than the scalar rounded up.

const LEAST = 3; // digits that are always there: "0.05"

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

class Wheel {
  #now; #next; #roll;
  #shown = ["", "", 0];

  constructor() {
    this.node = element("span", "wheel");
    this.#roll = element("span", "roll");
    this.#now = document.createTextNode("");
    this.#next = document.createTextNode("");
    for (const text of [this.#now, this.#next]) {
      const cell = element("span", "cell");
      cell.append(text);
      this.#roll.append(cell);
    }
    this.node.append(this.#roll);
  }

  turn(digit, next, part) {
    const shown = this.#shown;
    if (shown[0] !== digit) this.#now.data = shown[0] = digit;
    if (shown[1] !== next) this.#next.data = shown[1] = next;
    if (shown[2] !== part) {
      shown[2] = part;
      this.#roll.style.transform = `translateY(${-50 * part}%)`;
    }
  }
}

/** A row of wheels with the marks between them: `$`, `,` and `.`. */
export class Wheels {
  #row;
  #wheels = []; // by place, cents first; made when an amount first grows so long, and kept
  #marks = [];
  #lit = []; // how many digits a mark needs to its right before it is seen
  #laid = "";
  #places = 0;

  constructor(row) {
    this.#row = row;
  }

  /** Lay the row out for amounts written like this one; nothing is done while only digits differ. */
  lay(text) {
    const shape = text.replace(/[0-9]/g, "0");
    if (shape === this.#laid) return;
    this.#laid = shape;
    this.#places = shape.split("0").length - 1;
    while (this.#wheels.length < this.#places) this.#wheels.push(new Wheel());
    const nodes = [];
    let place = this.#places;
    let marks = 0;
    for (const glyph of shape) {
      if (glyph === "0") {
        place -= 1;
        nodes.push(this.#wheels[place].node);
      } else {
        nodes.push(this.#mark(marks, glyph, place));
        marks += 1;
      }
    }
    this.#row.replaceChildren(...nodes);
  }

  /** Show so many whole cents, and the part of the next one that has gone by. */
  show(cents, part) {
    const digits = cents.toString().padStart(LEAST, "0");
    let carried = part > 0;
    for (let place = 0; place < this.#places; place += 1) {
      const digit = digits[digits.length - 1 - place] ?? "";
      const next = carried ? (digit === "" ? "1" : String((Number(digit) + 1) % 10)) : "";
      this.#wheels[place].turn(digit, next, carried ? part : 0);
      carried = carried && digit === "9";
    }
    for (const [n, needs] of this.#lit.entries()) this.#light(n, needs < digits.length || needs === this.#places);
  }

  #mark(n, glyph, place) {
    if (this.#marks[n] === undefined) {
      const node = element("span", "mark");
      this.#marks[n] = { node, lit: true };
      node.append("");
    }
    this.#marks[n].node.firstChild.data = glyph;
    this.#marks[n].node.dataset.glyph = glyph;
    this.#lit.length = n + 1;
    this.#lit[n] = place;
    return this.#marks[n].node;
  }

  #light(n, lit) {
    const mark = this.#marks[n];
    if (mark.lit === lit) return;
    mark.lit = lit;
    mark.node.style.opacity = lit ? "" : "0";
  }
}
