// A meter board: it shows what the feed says, and says so when the feed says nothing. An amount is a promise.

import { follow } from "./feed.js";
import { money as written } from "./money.js";
import { Band } from "./band.js";
import { Fit } from "./fit.js";
import { Meter } from "./meter.js";
import { Pools } from "./pools.js";
import { Reload } from "./reload.js";
import { board, report } from "./report.js";
import { Pays, Prizes, termsOf, titleOf } from "./sign.js";
import { Standing } from "./standing.js";
import { Words } from "./words.js";

const QUIET_MS = 2_000; // after such a silence the wheels do not turn: they are set
const TICK_MS = 250;
const STEP_MS = 300_000; // the whole board steps, so that nothing burns into the screen
const STEPS = ["-4px -4px", "4px -4px", "4px 4px", "-4px 4px"];
const SWEEP_MS = 900;
const ALARMS = {
  stale: (at) => ["\u25B2 NOT LIVE", `LAST CONFIRMED ${at}`, "ASK THE DEALER"],
  offline: () => ["\u25A0 DISPLAY OFFLINE", "ASK THE DEALER"],
  suspended: () => ["\u25A0 JACKPOT SUSPENDED", "ASK THE DEALER"],
  toolarge: () => ["\u25A0 AMOUNT TOO LARGE ", "FOR THIS SCREEN", "ASK THE DEALER"],
};
const LIGHTS = { live: "\u25CF LIVE ", stale: "\u25B2 ", offline: "\u25A0 ", suspended: "\u25A0 ", toolarge: "\u25A0 ", connecting: "\u25CB " };

const at = (id) => document.getElementById(id);
const body = document.body;
const link = body.dataset.link;
const pace = { roll: 0, fade: 0 };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

function readPace() {
  const style = getComputedStyle(document.documentElement);
  pace.roll = Number.parseFloat(style.getPropertyValue("--t-roll"));
  pace.fade = Number.parseFloat(style.getPropertyValue("--t-state"));
}
readPace();
calm.addEventListener("change", readPace);

const standing = new Standing(performance.now());
const main = new Meter(at("meter"), pace);
const pools = new Pools(at("pools"), pace);
const fit = new Fit(at("board"), at("meter").querySelector(".amount"), at("pools"), pools);
const bandWords = new Words(at("band"), { rows: 8, most: () => at("band").clientHeight * 0.72, leading: 1.2, inset: 0.94 });
const band = new Band((lines) => bandWords.holds(lines));
const alarmWords = new Words(at("alarm"), { rows: 4, most: () => at("board").clientHeight * 0.13, inset: 0.92 });
const title = new Words(at("title"), { rows: 3, between: " ", capitals: true });
const pays = new Pays(at("pays"), at("paused"), pace, () => at("board").clientHeight * 0.08);
const prizes = new Prizes(at("prizes"));
let clockFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
let zone = "";
let heardAt = -Infinity;
let still = true; // the next amounts are set at once
let framed = false;

const clock = (date) => clockFormat.format(date);
const money = (cents) => written(cents, standing.sign.currency);
const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const setData = (name, value) => { if (body.dataset[name] !== value) body.dataset[name] = value; };

function showAmounts(state, now) {
  const [first, ...others] = state.pools;
  pools.name(others.map((pool) => pool.pool));
  const texts = state.pools.map((pool) => money(pool.cents));
  fit.size(texts);
  if (!fit.fits) return false;
  pools.take(now, pays.paused);
  main.show(first.cents, texts[0], first.epoch, now, still);
  for (const [n, meter] of pools.meters.entries()) {
    meter.show(others[n].cents, texts[n + 1], others[n].epoch, now, still);
  }
  still = false;
  return true;
}

function clearAmounts() {
  main.clear();
  for (const meter of pools.meters) meter.clear();
  still = true;
}

/** Show what holds now. Nothing is written that has not changed. */
function show() {
  const now = performance.now();
  const wall = Date.now();
  const { state, sign } = standing;
  let name = standing.condition(now);
  if (name === "live" || name === "stale") {
    if (!showAmounts(state, now)) name = "toolarge";
  }
  if (name !== "live" && name !== "stale") clearAmounts();
  frame(); // before any words: whatever becomes of those, the wheels go to the truth
  setData("state", name);
  setText(at("live"), `${LIGHTS[name]}${clock(new Date(wall))}`);
  if (sign !== null) title.say([titleOf(sign).split(" ")], fit.stamp);
  if (sign !== null && state !== null) {
    const agreed = name === "live" && sign.terms === state.terms;
    pays.say(agreed, state, sign, money, now, fit.stamp, prizesListed());
    prizes.say(agreed, state, sign, money);
  }
  const said = name === "live" ? band.of(state, sign, money, clock, now, wall) : null;
  const before = body.dataset.band;
  setData("band", said === null ? "" : said.kind);
  bandWords.say(said === null ? [] : said.lines, fit.stamp, now);
  const alarm = ALARMS[name];
  alarmWords.say(alarm === undefined ? [] : [alarm(clock(standing.confirmed ?? new Date(wall)))], `${fit.stamp} ${name}`);
  if (said?.kind === "won" && before !== "won") sweep();
}

let listed = { stamp: -1, shown: false };
function prizesListed() {
  if (listed.stamp !== fit.stamp) {
    listed = { stamp: fit.stamp, shown: getComputedStyle(at("prizes")).position !== "absolute" };
  }
  return listed.shown;
}

// One paint a frame, however many snapshots came: the newest is what the wheels are on their way to.
function frame() {
  if (framed || document.hidden) return;
  framed = true;
  requestAnimationFrame(() => {
    framed = false;
    if (paint()) frame();
  });
}

function paint() {
  const now = performance.now();
  let rolling = main.paint(now);
  for (const meter of pools.meters) rolling = meter.paint(now) || rolling;
  return rolling;
}

function sweep() {
  if (pace.fade === 0 || document.hidden) return;
  at("band").animate(
    { transform: ["translateX(-110%)", "translateX(110%)"] },
    { duration: SWEEP_MS, easing: "ease-in-out", pseudoElement: "::after" },
  );
}

function rest() {
  main.rest();
  for (const meter of pools.meters) meter.rest();
  pays.rest();
  for (const motion of document.getAnimations()) motion.cancel();
}

// What is reported is one commit's amount: the wheels are set before, or those that never rest would seem to be wrong.
const tellShown = report(link, () => {
  const { state } = standing;
  if (state === null) return null;
  main.settle();
  if (!document.hidden) paint();
  return {
    generation: state.generation,
    commit: state.commit,
    epoch: state.pools[0].epoch,
    painted_cents: document.hidden || main.painted === null ? "" : String(main.painted),
  };
});
const reload = new Reload(() => body.dataset.state === "live", clock);

function quiet(now) {
  if (now - heardAt > QUIET_MS) still = true;
  heardAt = now;
}

follow(`/boards/${encodeURIComponent(link)}/feed?board=${board}`, {
  terms(sign) {
    standing.sign = sign;
    if (zone !== sign.time_zone) {
      zone = sign.time_zone;
      clockFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: zone });
    }
    setText(at("terms"), termsOf(sign));
    fit.forget();
    show();
  },
  state(state, lag) {
    const now = performance.now();
    quiet(now);
    const epochs = standing.state?.pools.map((pool) => pool.epoch).join();
    standing.take(state, lag, now, Date.now());
    show();
    // After the frame in which the new epoch is painted, since it is the paint that is reported.
    if (standing.state?.pools.map((pool) => pool.epoch).join() !== epochs) {
      requestAnimationFrame(() => requestAnimationFrame(tellShown));
    }
    reload.see(state.page, now);
  },
  beat() {
    quiet(performance.now());
  },
}, (ms) => {
  standing.slept(ms);
  show();
});

document.addEventListener("visibilitychange", () => {
  still = true;
  rest();
  show();
  if (!document.hidden) paint();
});

function tick() {
  const now = performance.now();
  const place = STEPS[Math.floor(now / STEP_MS) % STEPS.length];
  if (at("board").style.translate !== place) at("board").style.translate = place;
  show();
  reload.look(now);
}
tick();
setInterval(tick, TICK_MS);
