// How wide is a text? Measured with a canvas when the page is laid out or words change, never with an amount.

const AT = 100;
const pen = document.createElement("canvas").getContext("2d");
const known = new Map();
const MOST = 400;
const APART = "\u2003\u2003"; // between lines that share a row

/** The width of a text at a font size of 1: digits count as the widest digit, as they are tabular on the page. */
export function emOf(text, weight) {
  const key = `${weight} ${text.replace(/[0-9]/g, "0")}`;
  let width = known.get(key);
  if (width === undefined) {
    pen.font = `${weight} ${AT}px ${getComputedStyle(document.body).fontFamily}`;
    const shape = key.slice(key.indexOf(" ") + 1).replace(/0/g, widest());
    width = pen.measureText(shape).width / AT;
    if (known.size >= MOST) known.clear();
    known.set(key, width);
  }
  return width;
}

function widest() {
  let best = "0";
  for (const digit of "123456789") if (pen.measureText(digit).width > pen.measureText(best).width) best = digit;
  return best;
}

/** Break a list of pieces into at most so many rows, in order, so that no row grows longer than it must. */
function broken(pieces, most, lengthOf) {
  const rows = pieces.map((piece) => [piece]);
  const length = (n) => lengthOf([...rows[n], ...rows[n + 1]]);
  while (rows.length > most) {
    let best = 0;
    for (let n = 1; n < rows.length - 1; n += 1) if (length(n) < length(best)) best = n;
    rows.splice(best, 2, [...rows[best], ...rows[best + 1]]);
  }
  return rows;
}

/** The text of a row: `row` has the places of its phrases, each `[line, phrase]`; one that ends in a space runs on. */
export function textOf(row, lines, between) {
  let text = "";
  for (const [n, [line, phrase]] of row.entries()) {
    if (n > 0 && !text.endsWith(" ")) text += line === row[n - 1][0] ? between : APART;
    text += lines[line][phrase];
  }
  return text.trimEnd();
}

/**
 * The largest type in which lines of phrases fill a box, never under the floor: `{ rows, size, fits }`. A line may be
 * broken between its phrases, and whole lines may share a row. `capitals`: the style sheet writes them so.
 */
export function fill(lines, box, { weight, leading, most, mostRows, floor, between, capitals }) {
  const said = (text) => (capitals ? text.toUpperCase() : text);
  const widthOf = (row) => emOf(said(textOf(row, lines, between)), weight);
  const places = lines.map((line, n) => line.map((_, phrase) => [n, phrase]));
  const layouts = [];
  for (let split = 1; split <= Math.max(...lines.map((line) => line.length)); split += 1) {
    layouts.push(places.flatMap((line) => broken(line, split, widthOf)));
  }
  for (let shared = lines.length - 1; shared >= 1; shared -= 1) {
    layouts.push(broken(places, shared, (some) => widthOf(some.flat())).map((some) => some.flat()));
  }
  let best = { rows: [], size: 0 };
  for (const rows of layouts) {
    const size = Math.min(most, box.height / (rows.length * leading), box.width / Math.max(...rows.map(widthOf)));
    if (rows.length <= mostRows && size > best.size * 1.02) best = { rows, size };
  }
  return { rows: best.rows, size: Math.max(floor, best.size), fits: best.size >= floor };
}
