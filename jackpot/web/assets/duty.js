// What does whoever is on duty see? The server's five answers, asked for every five seconds; greyed when it is away.

import { chart, element } from "./charts.js";

const EVERY_MS = 5_000;
const AWAY_AFTER_MS = 10_000;
const WORDS = { ok: "● Well", warn: "▲ Look", stop: "■ Wrong", none: "? Not known" };
const MARKS = { ok: "●", warn: "▲", stop: "■", none: "?" };
const ORDER = ["ok", "none", "warn", "stop"];

const page = document.body.dataset.page;
const main = document.getElementById("answers");
const choice = document.getElementById("link");
const sections = new Map();
let link = new URLSearchParams(location.search).get("link") ?? "";
let heard = performance.now();
let asOf = "";
let said = "";
let unknown = ""; // the link of the address, where this server serves no such link
let warned = "";

async function ask() {
  const query = link ? `?link=${encodeURIComponent(link)}` : "";
  try {
    const answer = await fetch(`/duty/now${query}`, { signal: AbortSignal.timeout(EVERY_MS), redirect: "error" });
    if (answer.status === 404 && link) {
      heard = performance.now(); // it answers: it only serves no such link
      unknown = link;
    } else if (answer.ok) {
      unknown = "";
      show(await answer.json());
    }
  } catch {
    // What it means is said by how old the last answer is: one lost answer is nothing yet.
  }
  look();
}

function show(now) {
  heard = performance.now();
  if (now.page !== page) {
    location.reload(); // the server just answered, so the page will load
    return;
  }
  asOf = time(now.at_ms);
  choices(now);
  const worst = now.answers.reduce((state, each) => worse(state, each.state), now.answers.length ? "ok" : "none");
  document.body.dataset.state = worst;
  mark(document.querySelector("#worst .state"), worst, WORDS);
  document.getElementById("as-of").textContent = `Link ${now.link || "none"}, as of ${asOf}`;
  const reasons = Object.entries(now.not_ready).map(([name, why]) => `${name}: ${why}`).join("; ");
  const notReady = document.getElementById("not-ready");
  notReady.hidden = now.ready;
  notReady.textContent = now.ready ? "" : `▲ This server is not ready. ${reasons}`;
  const boards = document.getElementById("boards");
  boards.hidden = !now.link;
  boards.firstElementChild.href = `/boards/${encodeURIComponent(now.link)}/shown`;
  document.getElementById("process").textContent = `Server process ${now.process}: ${now.ready ? "ready" : "not ready"}`;
  const names = new Set(now.answers.map((each) => each.question));
  for (const [name, section] of sections) {
    if (!names.has(name)) {
      section.element.remove();
      sections.delete(name);
    }
  }
  for (const each of now.answers) {
    if (!sections.has(each.question)) {
      sections.set(each.question, made(each));
      main.append(sections.get(each.question).element);
    }
    sections.get(each.question).show(each);
  }
  tell(now.answers.filter((each) => each.state !== "ok").map((each) => `${each.question} ${each.words}`).join(". "));
}

/** A state change is said once, and ticking figures never. */
function tell(words) {
  const states = [...sections.values()].map((section) => section.element.dataset.state).join();
  if (states === said) return;
  said = states;
  document.getElementById("said").textContent = words || "All five questions: well.";
}

function made(first) {
  const section = element("section");
  const head = element("div");
  const state = element("span", "state");
  const words = element("p", "words");
  head.append(element("h2", "", first.question), state, words);
  const charts = element("div", "charts");
  const drawn = first.lines.map((line) => chart(line.name));
  charts.append(...drawn.map((each) => each.element));
  const facts = element("details", "facts");
  const summary = element("summary");
  const table = element("table");
  const header = element("tr");
  for (const [name, kind] of [["", ""], ["Fact", ""], ["Now", "figure"], ["Limit", "figure"]]) {
    const cell = element("th", kind, name);
    cell.scope = "col";
    if (!name) cell.append(element("span", "unseen", "State"));
    header.append(cell);
  }
  const thead = element("thead");
  thead.append(header);
  const tbody = element("tbody");
  table.append(element("caption", "unseen", first.question), thead, tbody);
  facts.append(summary, table);
  section.append(head, charts, facts);
  let before = "ok";
  let opened = false; // by this page, and not by a person: it is closed again when all is well
  summary.addEventListener("click", () => { opened = false; });
  return {
    element: section,
    show(answer) {
      section.dataset.state = answer.state;
      mark(state, answer.state, WORDS);
      words.textContent = answer.words;
      answer.lines.forEach((line, at) => drawn[at].draw(line));
      summary.textContent = `${answer.facts.length} facts`;
      tbody.replaceChildren(...answer.facts.map(row));
      if (answer.state !== "ok" && before === "ok" && !facts.open) facts.open = opened = true;
      else if (answer.state === "ok" && opened) facts.open = opened = false;
      before = answer.state;
    },
    /** Nothing is known any more: what stood here is what it was, and no mark says well. */
    lose() {
      section.dataset.state = "none";
      mark(state, "none", WORDS);
      words.textContent = `Last known: ${words.textContent}`;
      for (const each of tbody.querySelectorAll(".mark")) unmark(each);
    },
  };
}

function row(fact) {
  const made = element("tr");
  const state = element("td", "mark");
  mark(state, fact.state, MARKS);
  state.append(element("span", "unseen", WORDS[fact.state].slice(2)));
  const name = element("th", "", fact.what);
  name.scope = "row";
  made.append(state, name, element("td", "now", fact.now), element("td", "limit", fact.limit));
  return made;
}

function unmark(cell) {
  mark(cell, "none", MARKS);
  cell.append(element("span", "unseen", WORDS.none.slice(2)));
}

function mark(place, state, words) {
  place.dataset.state = state;
  place.textContent = words[state];
}

function choices(now) {
  document.getElementById("choice").hidden = now.links.length < 2;
  if (choice.options.length !== now.links.length) {
    choice.replaceChildren(...now.links.map((name) => new Option(name, name)));
  }
  choice.value = now.link;
}

function look() {
  document.getElementById("charted").hidden = sections.size === 0;
  const words = warning();
  if (words === warned) return;
  warned = words;
  document.body.toggleAttribute("data-away", words !== "");
  const away = document.getElementById("away");
  away.textContent = words;
  if (words && unknown) {
    document.getElementById("as-of").textContent = `No link ${unknown} here`;
    const others = element("a", "", "Links it serves");
    others.href = "/duty";
    away.append(" ", others);
  }
  if (!words) return;
  mark(document.querySelector("#worst .state"), "none", WORDS);
  document.getElementById("process").textContent = "";
  sections.forEach((section) => section.lose());
}

function warning() {
  if (performance.now() - heard > AWAY_AFTER_MS) {
    return `■ The server does not answer. What stands here is as of ${asOf || "never"}. No table takes jackpot wagers, boards`
      + " say NOT LIVE, and no money moves. See the runbook: JackpotServerDown.";
  }
  return unknown ? `■ This server answers, but serves no link ${unknown}.` : "";
}

function worse(one, other) {
  return ORDER.indexOf(other) > ORDER.indexOf(one) ? other : one;
}

function time(at) {
  return at ? new Date(at).toLocaleTimeString("en-GB", { timeZoneName: "longOffset" }) : "never";
}

choice.addEventListener("change", () => {
  link = choice.value;
  history.replaceState(null, "", `?link=${encodeURIComponent(link)}`);
  sections.clear();
  main.replaceChildren();
  void ask();
});
void ask();
setInterval(() => { void ask(); }, EVERY_MS);
setInterval(look, 1_000);
