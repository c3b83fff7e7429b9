// How wide is a text? Measured with a canvas when the page is laid out or words change, never with an amount.

const AT = 100;
const pen = document.createElement("canvas").getContext("2d");
const known = new Map();
const MOST = 400;

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

/** Break phrases into at most so many rows, in order, so that the longest row is as short as can be. */
export function rowsOf(phrases, most, between) {
  const rows = phrases.map((phrase) => phrase);
  while (rows.length > Math.max(1, most)) {
    let best = 0;
    for (let n = 1; n < rows.length - 1; n += 1) {
      if (rows[n].length + rows[n + 1].length < rows[best].length + rows[best + 1].length) best = n;
    }
    rows.splice(best, 2, `${rows[best]}${between}${rows[best + 1]}`);
  }
  return rows;
}

/** The largest type in which lines of phrases fill a box: `{ rows, size }`, never under the floor. */
export function fill(lines, box, { weight, leading, most, floor, between }) {
  let best = { rows: [], size: 0 };
  const longest = Math.max(1, ...lines.map((line) => line.length));
  for (let split = 1; split <= longest; split += 1) {
    const rows = lines.flatMap((line) => rowsOf(line, split, between));
    const widest = Math.max(0.01, ...rows.map((row) => emOf(row, weight)));
    const size = Math.min(most, box.height / (rows.length * leading), box.width / widest);
    if (size > best.size * 1.02) best = { rows, size };
  }
  return { rows: best.rows, size: Math.max(floor, best.size) };
}
