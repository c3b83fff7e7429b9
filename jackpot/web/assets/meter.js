// What does one pool's meter show at this moment? The truth at once, for those who hear it; the wheels on their way.
//
// The way goes from what is shown to the newest amount and never past it. It never goes down: a fall is set at once.

import { emOf } from "./measure.js";
import { Wheels } from "./wheels.js";

const SCALE = 1_000_000n; // parts of a cent that the wheels pass through
const STEPS = 1_000_000; // parts of the way
const FASTEST = 10; // digits a second that an eye can follow; what is faster swaps without sliding

/** A meter in `host`, which holds a `data` element; `pace` gives the milliseconds of a roll and of a cross-fade. */
export class Meter {
  #data; #amount; #wheels; #ghost; #row; #pace;
  #from = 0n;
  #to = 0n;
  #begun = 0;
  #roll = 0; // how long this way takes; 0 when there is none
  #slides = false;

  constructor(host, pace) {
    this.#pace = pace;
    this.#amount = host.querySelector(".amount");
    this.#data = this.#amount.querySelector("data");
    this.#row = document.createElement("span");
    this.#row.className = "wheels";
    this.#ghost = document.createElement("span");
    this.#ghost.className = "ghost";
    for (const node of [this.#row, this.#ghost]) {
      node.setAttribute("aria-hidden", "true");
      this.#amount.append(node);
    }
    this.#wheels = new Wheels(this.#row);
    this.epoch = null; // of what is shown; null while nothing is
    this.painted = null; // whole cents on the wheels
    this.text = ""; // the truth as it is written
  }

  /** Tell the truth, and set the wheels on their way to it; `still` sets them at once. */
  show(cents, text, epoch, now, still) {
    if (this.#data.value !== cents) this.#data.value = cents;
    if (this.text !== text) this.#data.textContent = text;
    const amount = BigInt(cents) * SCALE;
    const reseeded = this.epoch !== null && this.epoch !== epoch;
    const at = this.epoch === null || reseeded || still || amount < this.#to || this.#pace.roll === 0;
    if (reseeded && !still) this.#fade(this.text, text);
    this.text = text;
    this.epoch = epoch;
    if (at) this.#set(amount);
    else if (amount !== this.#to) this.#go(amount, now);
    return this.#roll > 0 || at;
  }

  /** Show nothing: no amount is better than one that cannot be vouched for. */
  clear() {
    if (this.epoch === null) return;
    this.epoch = null;
    this.painted = null;
    this.text = "";
    this.#roll = 0;
    this.#data.value = "";
    this.#data.textContent = "";
    this.#wheels.lay(""); // nor behind what stands in its place
    this.rest();
  }

  /** Let the wheels be where they are on their way to. */
  settle() {
    if (this.epoch !== null) this.#set(this.#to);
  }

  /** End every motion where it leads to. */
  rest() {
    this.settle();
    for (const node of [this.#row, this.#ghost]) {
      for (const motion of node.getAnimations()) motion.cancel();
    }
    this.#ghost.textContent = "";
  }

  /** Paint what the wheels show now; true while they are on their way. */
  paint(now) {
    if (this.epoch === null) return false;
    const done = this.#roll === 0 || now - this.#begun >= this.#roll;
    if (done) this.#roll = 0;
    const shown = done ? this.#to : this.#at(now);
    const cents = shown / SCALE;
    this.#wheels.lay(this.text);
    this.#wheels.show(cents, this.#slides && !done ? Number(shown % SCALE) / Number(SCALE) : 0);
    this.painted = cents;
    return !done;
  }

  #at(now) {
    const left = 1 - Math.max(0, now - this.#begun) / this.#roll;
    return this.#from + ((this.#to - this.#from) * BigInt(Math.floor((1 - left ** 3) * STEPS))) / BigInt(STEPS);
  }

  #set(amount) {
    this.#from = this.#to = amount;
    this.#roll = 0;
  }

  #go(amount, now) {
    const shown = this.#roll > 0 && now - this.#begun < this.#roll ? this.#at(now) : this.#to;
    const span = this.#pace.roll;
    const slides = Number(amount - shown) / Number(SCALE) <= (FASTEST * span) / 1000;
    // What was half way to its next digit goes on there: wheels that stop sliding never turn back.
    this.#from = slides || !this.#slides ? shown : ((shown + SCALE - 1n) / SCALE) * SCALE;
    this.#slides = slides;
    this.#to = amount;
    this.#begun = now;
    this.#roll = span;
  }

  #fade(before, after) {
    const span = this.#pace.fade;
    if (span === 0 || document.hidden) return;
    this.#ghost.textContent = before;
    this.#ghost.style.fontSize = `${Math.min(1, emOf(after, 700) / emOf(before, 700))}em`; // what was longer fits too
    const going = this.#ghost.animate({ opacity: [1, 0] }, { duration: span, easing: "ease-out" });
    going.onfinish = () => { this.#ghost.textContent = ""; };
    this.#row.animate({ opacity: [0, 1] }, { duration: span, easing: "ease-out" });
  }
}
