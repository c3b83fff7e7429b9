// How is one line over time drawn? Inline SVG on a zero-based axis, its limit dashed, the same points as a table.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600;
const HEIGHT = 96;
const ROWS = 13; // every five minutes of an hour, and the newest

/** Say a value with its unit as people read it; null is no data. Amounts are of the unit `cents AUD`. */
export function figure(value, unit) {
  if (value === null || value === undefined) return "no data";
  if (unit === "s") return seconds(value);
  if (unit.startsWith("cents ")) return `${unit.slice(6)} ${cents(value)}`;
  const text = value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
  return unit ? `${text} ${unit}` : text;
}

// What Prometheus is told is a double: where that cannot tell one cent from the next, none is shown.
function cents(value) {
  const digits = Number.isSafeInteger(Math.round(value)) ? 2 : 0;
  return (value / 100).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function seconds(value) {
  if (value >= 7200) return `${three(value / 3600)} h`;
  if (value >= 120) return `${three(value / 60)} min`;
  return value >= 1 || value === 0 ? `${three(value)} s` : `${three(value * 1000)} ms`;
}

function three(value) {
  return String(Number(value.toPrecision(3)));
}

/** Return a figure for a line `{name, unit, limit, points}`; it is filled by `draw`. */
export function chart(name) {
  const figureElement = element("figure", "chart");
  const caption = element("figcaption");
  const title = element("span", "", name);
  const newest = element("b");
  caption.append(title, newest);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  const axis = shape("line", "axis", { x1: 0, y1: HEIGHT, x2: WIDTH, y2: HEIGHT });
  const limit = shape("line", "limit", { x1: 0, x2: WIDTH });
  const path = shape("path", "line", {});
  svg.append(axis, limit, path);
  const ends = element("p", "ends");
  const from = element("span");
  const to = element("span");
  ends.append(from, to);
  const details = element("details");
  const body = element("tbody");
  const table = element("table");
  table.append(element("caption", "unseen", name), body);
  details.append(element("summary", "", "As a table"), table);
  figureElement.append(caption, svg, ends, details);
  return { element: figureElement, draw: (line) => draw(line, { svg, path, limit, newest, from, to, body }) };
}

function draw(line, parts) {
  const known = line.points.filter((point) => point[1] !== null);
  const last = line.points.at(-1);
  const most = Math.max(0, ...known.map((point) => point[1]));
  const shown = line.limit !== null && most >= line.limit / 20;
  const top = nice(Math.max(most, shown ? line.limit : 0) || 1);
  parts.newest.textContent = figure(last ? last[1] : null, line.unit);
  parts.path.setAttribute("d", path(line.points, top));
  parts.limit.toggleAttribute("hidden", !shown);
  parts.limit.style.display = shown ? "" : "none";
  if (shown) for (const end of ["y1", "y2"]) parts.limit.setAttribute(end, String(HEIGHT - (line.limit / top) * HEIGHT));
  const limit = line.limit === null ? "" : `, limit ${figure(line.limit, line.unit)}`;
  parts.svg.setAttribute(
    "aria-label",
    `${line.name}: ${figure(last ? last[1] : null, line.unit)} now, at most ${figure(known.length ? most : null, line.unit)}${limit}`,
  );
  parts.from.textContent = line.points.length ? clock(line.points[0][0]) : "";
  parts.to.textContent = `0 to ${figure(top, line.unit)}${limit}`;
  const step = Math.max(1, Math.ceil(line.points.length / ROWS));
  const rows = line.points.filter((_point, at) => (line.points.length - 1 - at) % step === 0);
  parts.body.replaceChildren(...rows.map((point) => {
    const row = element("tr");
    row.append(element("td", "", clock(point[0])), element("td", "", figure(point[1], line.unit)));
    return row;
  }));
}

function path(points, top) {
  if (points.length < 2) return "";
  const first = points[0][0];
  const span = points.at(-1)[0] - first || 1;
  let drawn = "";
  let broken = true;
  for (const [at, value] of points) {
    if (value === null) {
      broken = true;
      continue;
    }
    const x = ((at - first) / span) * WIDTH;
    const y = HEIGHT - (value / top) * HEIGHT;
    drawn += `${broken ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    broken = false;
  }
  return drawn;
}

function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((step) => step * power >= value) * power;
}

function clock(at) {
  return new Date(at).toLocaleTimeString("en-GB");
}

function shape(name, className, attributes) {
  const made = document.createElementNS(SVG, name);
  made.setAttribute("class", className);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Return an element with a class and a text. */
export function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}
