// The one line of words under the meter while the board is live: a hit, a win, a new jackpot, a correction.

const WON_MS = 60_000;
const RELEASED_MS = 20_000;
const NEW_MS = 60_000;
const CORRECTED_MS = 600_000;
const METER_PRIZES = new Set(["royal_flush", "straight_flush"]);

const since = new Map(); // when this page first saw each thing, by its id

function firstSeen(id, now) {
  if (!since.has(id)) {
    if (since.size > 500) since.delete(since.keys().next().value);
    since.set(id, now);
  }
  return since.get(id);
}

let first = true;

/** What the band says of a state, or null. Announcements are read off the state, once per hit id. */
export function bandOf(state, money, now) {
  const lines = [];
  for (const hit of state.hits.filter((one) => METER_PRIZES.has(one.prize))) {
    const age = now - firstSeen(`${hit.hit} ${hit.state}`, first ? -Infinity : now);
    const table = `TABLE ${hit.table}`;
    if (["pending", "verified", "claimed", "disputed"].includes(hit.state)) {
      const amount = hit.state === "claimed" ? "" : ` \u00B7 ${money(hit.amount_cents)}`;
      lines.push({ rank: 1, kind: "pending", text: `\u25D0 JACKPOT HIT \u00B7 ${table} \u00B7 BEING CHECKED${amount}` });
    } else if ((hit.state === "approved" || hit.state === "paid") && age < WON_MS) {
      lines.push({ rank: 0, kind: "won", text: `\u2605 WIN ${money(hit.amount_cents)} \u00B7 ${table}` });
    } else if (hit.state === "released" && age < RELEASED_MS) {
      lines.push({ rank: 2, kind: "new", text: `${table} CHECKED: NO JACKPOT \u00B7 THE JACKPOT GOES ON` });
    }
  }
  for (const pool of state.pools.slice(0, 1)) {
    const age = now - firstSeen(`fall ${pool.pool} ${pool.last_fall_commit}`, first ? -Infinity : now);
    const cause = pool.last_fall_cause;
    if (cause === "award" && pool.epoch > 1 && age < NEW_MS) {
      lines.push({ rank: 3, kind: "new", text: `NEW JACKPOT FROM ${money(pool.cents)}` });
    } else if (["correction", "transfer", "limit"].includes(cause) && age < CORRECTED_MS) {
      lines.push({ rank: 4, kind: "corrected", text: "\u25B2 AMOUNT CORRECTED \u00B7 NOTICE AT THE TABLE" });
    }
  }
  first = false;
  lines.sort((a, b) => a.rank - b.rank);
  if (lines.length === 0) return null;
  const more = lines.filter((line) => line.kind === lines[0].kind).length - 1;
  return more > 0 ? { ...lines[0], text: `${lines[0].text} \u00B7 +${more} MORE` } : lines[0];
}
