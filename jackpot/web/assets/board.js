// A meter board: it shows what the feed says, and says so when the feed says nothing. An amount is a promise.

import { follow } from "./feed.js";
import { money } from "./money.js";
import { bandOf } from "./band.js";

const STALE_MS = 5_000;
const OFFLINE_MS = 30_000;
const SHOWN_MS = 10_000;
const HANDS = {
  royal_flush: "Royal flush", straight_flush: "Straight flush", four_of_a_kind: "Four of a kind",
  full_house: "Full house", flush: "Flush",
};

const body = document.body;
const at = (id) => document.getElementById(id);
const board = {
  state: null, // the newest state of the feed
  sign: null, // the terms it speaks of
  arrived: -Infinity, // when the state was true, on this page's own clock
  confirmed: null, // the same moment, on the wall
  seen: { epoch: 0, commit: 0 },
};

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function condition(now) {
  const age = now - board.arrived;
  if (board.state === null || board.sign === null || board.state.age_ms === null) {
    return now > OFFLINE_MS ? "offline" : "connecting";
  }
  if (age > OFFLINE_MS) return "offline";
  if (age > STALE_MS || board.state.status === "ledger_unreachable") return "stale";
  return board.state.status === "running" ? "live" : "stopped";
}

function words(name) {
  switch (name) {
    case "connecting": return "CONNECTING";
    case "offline": return "\u25A0 DISPLAY OFFLINE \u00B7 ASK THE DEALER";
    case "stopped": return "\u25A0 JACKPOT SUSPENDED \u00B7 ASK THE DEALER";
    case "stale": return `\u25B2 NOT LIVE \u00B7 LAST CONFIRMED ${clock(board.confirmed)} \u00B7 ASK THE DEALER`;
    default: return "";
  }
}

function clock(date) {
  return date === null ? "NEVER" : date.toTimeString().slice(0, 8);
}

function paintAmounts(name) {
  const { state, sign } = board;
  const shown = (name === "live" || name === "stale") && state.pools.length > 0;
  const main = at("meter").firstElementChild;
  main.value = shown ? state.pools[0].cents : "";
  setText(main, shown ? money(state.pools[0].cents, sign.currency) : "");
  const others = shown ? state.pools.slice(1) : [];
  const list = at("pools");
  while (list.children.length > others.length) list.lastChild.remove();
  while (list.children.length < others.length) {
    list.append(document.createElement("li"));
    list.lastChild.append(document.createElement("span"), " ", document.createElement("data"));
  }
  others.forEach((pool, n) => {
    const [label, amount] = list.children[n].children;
    setText(label, pool.pool.toUpperCase());
    amount.value = pool.cents;
    setText(amount, money(pool.cents, sign.currency));
  });
}

function paintPays(name) {
  const { state, sign } = board;
  if (name !== "live") return setText(at("pays"), "");
  const parts = state.pays
    .filter((one) => one.at_least || one.prize === "straight_flush")
    .map((one) => `${HANDS[one.prize]} pays ${one.at_least ? "at least " : ""}${money(one.cents, sign.currency)}`
      + (one.at_least ? "" : " now"));
  setText(at("pays"), [...parts, `${money(sign.wager_cents, sign.currency)} a hand`].join(" \u00B7 "));
}

function paintSign() {
  const { sign } = board;
  const rows = sign.prizes.map((prize) => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = HANDS[prize.prize];
    const cell = document.createElement("td");
    cell.textContent = prize.kind === "bonus" ? money(prize.amount_cents, sign.currency) : share(prize, sign);
    row.append(head, cell);
    return row;
  });
  at("prizes").tBodies[0].replaceChildren(...rows);
  setText(at("terms"), `Terms ${sign.name} ${sign.version} \u00B7 ${sign.terms.match(/.{4}/g).join(" ")}`);
}

function share(prize, sign) {
  const percent = `${(prize.share_ppm / 10_000).toString()}%`;
  const least = prize.minimum_cents ? `, at least ${money(prize.minimum_cents, sign.currency)}` : "";
  return `${percent} of the ${prize.pool} jackpot${least}`;
}

function paint() {
  const now = performance.now();
  const name = condition(now);
  body.dataset.state = name;
  setText(at("live"), name === "live" ? `\u25CF LIVE ${clock(new Date())}` : "");
  if (board.sign !== null && board.state !== null) {
    paintAmounts(name);
    paintPays(name);
  }
  const band = name === "live" ? bandOf(board.state, (cents) => money(cents, board.sign.currency), now) : null;
  body.dataset.band = band === null ? "" : band.kind;
  setText(at("band"), band === null ? words(name) : band.text);
}

function tellShown() {
  const { state } = board;
  if (state === null || state.pools.length === 0) return;
  board.seen = { epoch: state.pools[0].epoch, commit: state.commit };
  const shown = {
    board: boardName(), generation: state.generation, commit: state.commit, epoch: state.pools[0].epoch,
    painted_cents: at("meter").firstElementChild.value, heap: performance.memory?.usedJSHeapSize ?? 0,
  };
  fetch(`/boards/${encodeURIComponent(body.dataset.link)}/shown`, {
    method: "POST", body: JSON.stringify(shown), headers: { "Content-Type": "application/json" },
  }).catch(() => {}); // the server notices boards that say nothing
}

function boardName() {
  const given = new URLSearchParams(location.search).get("board");
  if (given !== null && /^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$/.test(given)) return given;
  let made = sessionStorage.getItem("board");
  if (made === null) {
    made = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem("board", made);
  }
  return made;
}

async function loadAnew() {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (answer?.status === 200) location.reload();
}

follow(`/boards/${encodeURIComponent(body.dataset.link)}/feed`, {
  terms(sign) {
    board.sign = sign;
    paintSign();
    paint();
  },
  state(state, late) {
    board.state = state;
    if (state.age_ms !== null && !late) {
      board.arrived = performance.now() - state.age_ms;
      board.confirmed = new Date(Date.now() - state.age_ms);
    }
    paint();
    if (state.pools.length > 0 && state.pools[0].epoch !== board.seen.epoch) tellShown();
    if (state.page !== body.dataset.page && body.dataset.state === "live") loadAnew();
  },
});
setInterval(paint, 500);
setInterval(tellShown, SHOWN_MS);
