// What may be shown now? The newest state that was vouched for, how old it is by this page's own clock, and so whether
// the board is live. Wall clocks are never compared.

const STALE_MS = 5_000;
const OFFLINE_MS = 30_000;

function older(one, other) {
  return one.generation < other.generation || (one.generation === other.generation && one.commit < other.commit);
}

// A meter that is lower than it was shown names a fall after that, or another life of the ledger.
function unexplained(state, held) {
  return state.generation === held.generation && state.pools.some((pool) => {
    const before = held.pools.find((one) => one.pool === pool.pool);
    return before !== undefined && BigInt(pool.cents) < BigInt(before.cents)
      && !(pool.last_fall_commit > held.commit && pool.last_fall_cause !== "");
  });
}

export class Standing {
  #since;
  #vouchedAt = -Infinity;

  constructor(now) {
    this.#since = now;
    this.state = null; // the newest that was vouched for
    this.sign = null; // the terms in force
    this.confirmed = null; // when the state was true, on the wall
  }

  /** Take what a feed says, `lag` milliseconds late; false for what vouches for nothing: then nothing changes. */
  take(state, lag, now, wall) {
    if (state.age_ms !== null && state.status === "ledger_behind" && this.state !== null) {
      this.state = { ...this.state, status: state.status }; // what was shown may be gone from the ledger
      this.#vouchedAt = Math.max(this.#vouchedAt, now - state.age_ms - lag); // for the stop: no amount is shown of it
      return true;
    }
    if (state.age_ms === null || state.status === "ledger_unreachable" || state.pools.length === 0) return false;
    // A board that has shown nothing for a while begins anew: what it once showed falls in nobody's sight.
    const held = this.condition(now) === "offline" ? null : this.state;
    if (held !== null && (older(state, held) || unexplained(state, held))) return false;
    this.state = state;
    const age = state.age_ms + lag;
    if (now - age > this.#vouchedAt) {
      this.#vouchedAt = now - age;
      this.confirmed = new Date(wall - age);
    }
    return true;
  }

  /** So much time has gone by that no clock of this page has seen: what was vouched for is older than it seems. */
  slept(ms) {
    this.#vouchedAt -= ms;
  }

  /** One of connecting, live, stale, suspended, offline. */
  condition(now) {
    const staleMs = this.sign === null ? STALE_MS : this.sign.stale_after_s * 1000;
    const offlineMs = this.sign === null ? OFFLINE_MS : this.sign.close_after_s * 1000;
    if (this.state === null || this.sign === null) return now - this.#since > offlineMs ? "offline" : "connecting";
    const age = now - this.#vouchedAt;
    if (age > offlineMs) return "offline";
    if (this.state.status !== "running") return "suspended";
    return age > staleMs ? "stale" : "live";
  }
}
