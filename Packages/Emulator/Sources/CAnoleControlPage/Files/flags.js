// SPDX-License-Identifier: Apache-2.0
// The flags of the served data file: bars of their rules, and everything that changes them.

import { read, send } from "./api.js";
import { byID, colour, count, make, number, percent, said, setText, show, words } from "./dom.js";
import { ends, move, rounded } from "./shares.js";

const kindOf = words({ EXPERIMENTATION: "Experiment", TARGETED_DELIVERY: "Delivery" });

let view = null;
let cards = [];
let place = null;
let notify = () => {};
let choose = () => {};
const listeners = [];

/** The flags as they were read last. */
export function currentFlags() {
  return view?.flags ?? [];
}

/** Which data file is shown, as arguments for the control endpoint. */
export function currentPlace() {
  return view?.file ? { siteCode: view.file.siteCode, environment: view.file.environment } : {};
}

/** The position of a variation among those of its flag, for its colour. */
export function position(flag, variation) {
  return flag ? flag.variations.findIndex(({ key }) => key === variation) : -1;
}

/** The flag that counts under a key: of several the last. */
export function flagNamed(key) {
  return currentFlags().findLast((flag) => flag.key === key);
}

/** What an exposure is about: flag and variation by the ids of experiment and variation. */
export function exposure(experimentID, variationID) {
  const holdout = view?.holdout;
  if (holdout?.experimentId === experimentID) {
    const entry = holdout.split.find(({ variationId }) => variationId === variationID);
    return { flag: null, variation: entry?.variation ?? null };
  }
  for (const flag of currentFlags()) {
    for (const rule of flag.rules) {
      if (rule.experimentId !== experimentID) continue;
      const entry = rule.split.find(({ variationId }) => variationId === variationID);
      return { flag, variation: entry?.variation ?? null };
    }
  }
  return null;
}

/** Custom data that the file declares. */
export function declaredData() {
  return view?.customData ?? [];
}

/** Calls a function whenever the flags were read anew. */
export function whenRead(listener) {
  listeners.push(listener);
}

// MARK: Changing

// One change at a time, and of several of one value only the last.
const waiting = new Map();
let isSending = false;

async function change(name, body, sentence) {
  waiting.set(name, { body, sentence });
  if (isSending) return;
  isSending = true;
  try {
    while (waiting.size) {
      const [key, next] = waiting.entries().next().value;
      waiting.delete(key);
      const answer = await send("flag", { ...currentPlace(), ...next.body });
      notify(`${next.sentence}. ${count(answer.streams, "stream")} told.`);
    }
  } catch (error) {
    waiting.clear();
    notify(error.message, true);
  } finally {
    isSending = false;
  }
  await refresh();
}

// MARK: Bars

/** A bar: who is admitted, and the ranges of the variations among them. */
class Bar {
  constructor(flag, rule) {
    this.flag = flag;
    this.parts = rule.split.map((entry) => {
      const label = make("span", { class: "part-label" });
      setText(label, entry.variation);
      return make("span", { class: `part ${colour(position(flag, entry.variation))}` }, label);
    });
    this.open = make("span", { class: "part c-none" });
    this.admitted = make("span", { class: "admitted" }, ...this.parts, this.open);
    this.rest = make("span", { class: "rest" });
    this.element = make("div", { class: "bar", role: "img" }, this.admitted, this.rest);
  }

  update(exposition, shares, names, isDelivery) {
    const admitted = Math.min(Math.max(exposition, 0), 1);
    this.admitted.style.flexGrow = admitted;
    this.rest.style.flexGrow = 1 - admitted;
    this.rest.hidden = admitted === 1;
    this.admitted.hidden = admitted === 0;
    // A delivery serves its first variation whatever the shares say.
    const shown = isDelivery ? shares.map((_, index) => (index === 0 ? 1 : 0)) : shares;
    let sum = 0;
    shown.forEach((share, index) => {
      const width = Math.max(0, Math.min(share, 1 - sum));
      sum += width;
      this.parts[index].style.flexGrow = width;
      this.parts[index].hidden = width === 0;
    });
    this.open.style.flexGrow = Math.max(0, 1 - sum);
    this.open.hidden = sum > 0.999999;
    const parts = names.map((name, index) => `${name} ${percent(shown[index])}`);
    this.element.setAttribute("aria-label", `${percent(admitted)} admitted; of these ${parts.join(", ") || "nobody"}`);
  }
}

// MARK: Controls

/** A share that is moved by a slider or written as a number. */
class Mover {
  constructor(label, onMove) {
    this.onMove = onMove;
    this.slider = make("input", { type: "range", min: 0, max: 100, step: 1 });
    this.field = make("input", { type: "number", min: 0, max: 100, step: "any", inputmode: "decimal" });
    const [first, ...others] = label;
    this.element = make(
      "div", { class: "mover", role: "group" }, make("span", { class: "mover-label" }, first, ...others),
      this.slider, make("span", { class: "unit" }, this.field, "%"));
    for (const [input, event, isFinal] of [
      [this.slider, "input", false], [this.slider, "change", true], [this.field, "change", true],
    ]) {
      input.addEventListener(event, () => {
        const value = Number(input.value);
        if (input.value === "" || !(value >= 0 && value <= 100)) {
          notify("A share is a number from 0 to 100.", true);
          this.update(this.share, true);
          return;
        }
        this.onMove(rounded(value / 100), isFinal);
      });
    }
  }

  name(text) {
    this.element.setAttribute("aria-label", text);
    this.slider.setAttribute("aria-label", `${text}, in percent`);
    this.field.setAttribute("aria-label", `${text}, number in percent`);
  }

  update(share, isForced = false) {
    this.share = share;
    const value = String(rounded(share * 100));
    if (this.slider.value !== value) this.slider.value = value;
    // What somebody is writing is theirs until they are done.
    const isTheirs = document.activeElement === this.field && !isForced;
    if (!isTheirs && this.field.value !== value) this.field.value = value;
  }
}

class RuleView {
  constructor(flag, rule) {
    this.flag = flag;
    this.rule = rule;
    this.exposition = rule.exposition;
    this.shares = rule.split.map(({ share }) => share);
    this.names = rule.split.map(({ variation }) => variation);
    this.isDelivery = rule.type === "TARGETED_DELIVERY";
    this.bar = new Bar(flag, rule);
    this.legend = rule.split.map((entry) => {
      const share = make("span", { class: "share" });
      const range = make("span", { class: "range" });
      const item = make(
        "li", {}, make("span", { class: `swatch ${colour(position(flag, entry.variation))}` }), said(entry.variation),
        " ", share, " ", range);
      return { item, share, range };
    });
    this.admission = make("span", { class: "muted" });
    this.element = make(
      "section", { class: "rule", "aria-label": `Rule ${rule.id}`, data: { rule: rule.id } },
      this.heading(), this.bar.element, make("ul", { class: "legend" }, ...this.legend.map(({ item }) => item)),
      this.controls());
    this.update(rule);
  }

  heading() {
    const kind = kindOf(this.rule.type) ?? this.rule.type;
    return make(
      "p", { class: "rule-title" }, make("b", {}, said(kind)), make("span", { class: "muted" }, `rule ${this.rule.id}`),
      this.rule.segmentId !== null && make("span", { class: "chip" }, `segment ${this.rule.segmentId}`),
      this.admission);
  }

  controls() {
    const where = `rule ${this.rule.id} of ${this.flag.key}`;
    this.expositionMover = new Mover([make("span", {}, "Exposition")], (share, isFinal) => {
      this.exposition = share;
      this.paint();
      if (isFinal) {
        change(
          `exposition ${this.flag.key} ${this.rule.id}`,
          { flag: this.flag.key, rule: this.rule.id, exposition: share },
          `${this.flag.key}: rule ${this.rule.id} admits ${percent(share)}`);
      }
    });
    this.expositionMover.name(`Exposition of ${where}`);
    const movers = this.isDelivery ? [] : this.names;
    this.movers = movers.map((name, index) => {
      const mover = new Mover(
        [make("span", { class: `swatch ${colour(position(this.flag, name))}` }), said(name)],
        (share, isFinal) => this.moveShare(index, share, isFinal));
      mover.name(`Share of ${name} in ${where}`);
      return mover;
    });
    return make(
      "details", { class: "adjust" }, make("summary", {}, "Adjust"), this.expositionMover.element,
      ...this.movers.map(({ element }) => element));
  }

  moveShare(index, share, isFinal) {
    // While the slider is dragged every step begins with what was there before.
    this.before ??= this.shares;
    this.shares = move(this.before, index, share);
    this.paint();
    if (!isFinal) return;
    this.before = null;
    change(
      `split ${this.flag.key} ${this.rule.id}`, { flag: this.flag.key, rule: this.rule.id, split: this.shares },
      `${this.flag.key}: ${this.names.map((name, at) => `${name} ${percent(this.shares[at])}`).join(", ")}`);
  }

  update(rule) {
    if (waiting.size || isSending || this.before) return;
    this.exposition = rule.exposition;
    this.shares = rule.split.map(({ share }) => share);
    this.paint();
  }

  paint() {
    this.bar.update(this.exposition, this.shares, this.names, this.isDelivery);
    this.expositionMover.update(this.exposition);
    this.movers.forEach((mover, index) => mover.update(this.shares[index]));
    setText(
      this.admission,
      this.exposition >= 1 ? "everybody who is targeted" : `${percent(this.exposition)} of those who are targeted`);
    const limits = ends(this.shares);
    this.legend.forEach(({ share, range }, index) => {
      setText(share, this.isDelivery ? (index === 0 ? "always" : "never") : percent(this.shares[index]));
      setText(range, this.isDelivery ? "" : `${number(index ? limits[index - 1] : 0)}–${number(limits[index])}`);
    });
  }
}

class Card {
  constructor(flag, isHidden) {
    this.flag = flag;
    this.rules = flag.rules.map((rule) => new RuleView(flag, rule));
    this.switch = make(
      "button",
      {
        type: "button", class: "switch", role: "switch", "aria-label": `${flag.key}`, disabled: isHidden,
        on: { click: () => this.toggle() },
      },
      make("span", { class: "knob" }));
    this.state = make("span", { class: "state" });
    this.element = make(
      "article", { class: "flag", data: { flag: flag.key } },
      make(
        "div", { class: "flag-title" }, this.switch, make("h3", {}, said(flag.key)), this.state,
        make(
          "button",
          { type: "button", class: "quiet explain", "aria-label": `Explain ${flag.key}`, on: { click: () => choose(flag.key) } },
          "Explain")),
      make(
        "p", { class: "flag-facts muted" }, "default ",
        make("span", { class: `swatch ${colour(position(flag, flag.default))}` }), said(flag.default),
        flag.group !== null && make("span", { class: "chip" }, "group ", said(flag.group)),
        flag.bucketedBy !== null && make("span", { class: "chip" }, `bucketed by custom data ${flag.bucketedBy}`),
        isHidden && make("span", { class: "chip bad" }, "hidden by a later flag with this key")),
      ...this.rules.map(({ element }) => element),
      flag.rules.length === 0 && make("p", { class: "muted" }, "No rules: everybody gets the default."));
    this.update(flag);
  }

  toggle() {
    const isEnabled = this.switch.getAttribute("aria-checked") !== "true";
    this.paint(isEnabled);
    change(
      `enabled ${this.flag.key}`, { flag: this.flag.key, enabled: isEnabled },
      `${this.flag.key} is ${isEnabled ? "on" : "off"}`);
  }

  update(flag) {
    if (!isSending && !waiting.size) this.paint(flag.enabled);
    flag.rules.forEach((rule, index) => this.rules[index].update(rule));
  }

  paint(isEnabled) {
    this.switch.setAttribute("aria-checked", String(isEnabled));
    this.element.classList.toggle("is-off", !isEnabled);
    setText(this.state, isEnabled ? "on" : "off");
  }
}

// MARK: The list

/** What cards are made of; cards whose parts are the same are kept, with what has the focus. */
function shape(flag, isHidden) {
  return JSON.stringify([
    flag.key, isHidden, flag.default, flag.group, flag.bucketedBy, flag.variations,
    flag.rules.map((rule) => [
      rule.id, rule.type, rule.segmentId, rule.split.map(({ variation, variationId }) => [variation, variationId]),
    ]),
  ]);
}

function update(flags) {
  const last = new Map(flags.map((flag, index) => [flag.key, index]));
  const next = flags.map((flag, index) => {
    const isHidden = last.get(flag.key) !== index;
    const form = shape(flag, isHidden);
    const known = cards[index]?.form === form ? cards[index] : null;
    if (!known) return { form, card: new Card(flag, isHidden) };
    known.card.update(flag);
    return known;
  });
  const isSame = next.length === cards.length && next.every((entry, index) => entry === cards[index]);
  cards = next;
  if (!isSame) byID("flag-list").replaceChildren(...cards.map(({ card }) => card.element));
  filter();
}

function filter() {
  const wanted = byID("filter").value.trim().toLowerCase();
  let shown = 0;
  for (const { card } of cards) {
    const isShown = card.flag.key.toLowerCase().includes(wanted);
    card.element.hidden = !isShown;
    if (isShown) shown += 1;
  }
  const message = byID("flags-empty");
  if (view?.error) {
    setText(message, `The data file cannot be read: ${view.error}`);
  } else if (!view?.file) {
    setText(message, "No data file is set. Start with demo-cli serve --data-file FILE, or post one to /_control/data-file.");
  } else if (cards.length === 0) {
    setText(message, "The data file has no flags.");
  } else {
    setText(message, shown === 0 ? "No flag has that in its key." : "");
  }
  message.hidden = message.textContent === "";
}

function fileName(file) {
  const parts = [file.siteCode ?? "every site", file.environment ?? "no environment"];
  return file.siteCode === null && file.environment === null ? "general" : parts.join(", ");
}

function updateFiles() {
  const choice = byID("file-choice");
  choice.hidden = view.files.length < 2;
  const select = byID("file");
  const names = view.files.map(fileName);
  if (JSON.stringify(names) !== select.dataset.names) {
    select.dataset.names = JSON.stringify(names);
    select.replaceChildren(...names.map((name, index) => make("option", { value: index }, name)));
  }
  const index = view.files.findIndex(
    (file) => file.siteCode === view.file?.siteCode && file.environment === view.file?.environment);
  if (index >= 0) select.value = String(index);
}

function updateFacts() {
  const facts = view.file
    ? `${fileName(view.file)} data file, ${count(view.bytes, "byte")}, ${view.lastModified ?? "without a date"}`
    : "The experimentation platform on this computer";
  setText(byID("source"), facts);
  const diagnostics = view.diagnostics ?? [];
  const box = byID("diagnostics");
  box.hidden = diagnostics.length === 0;
  setText(box.querySelector("summary"), count(diagnostics.length, "remark about this file", "remarks about this file"));
  show(box.querySelector("ul"), ...diagnostics.map((text) => make("li", {}, said(text))));
}

async function readView() {
  try {
    return await read("flags", place ?? {});
  } catch (error) {
    if (error.status !== 404 || place === null) throw error;
    // The file that was chosen is gone.
    place = null;
    return read("flags");
  }
}

/** Reads the flags again and shows what is different. */
export async function refresh() {
  try {
    view = await readView();
  } catch (error) {
    notify(error.message, true);
    return;
  }
  updateFiles();
  updateFacts();
  update(view.flags ?? []);
  for (const listener of listeners) listener(view);
}

/** Prepares the section. `onNotice(text, isBad)` tells what was done, `onChoice(key)` that a flag is to be explained. */
export function start(onNotice, onChoice) {
  notify = onNotice;
  choose = onChoice;
  byID("filter").addEventListener("input", filter);
  byID("file").addEventListener("change", (event) => {
    const file = view.files[Number(event.target.value)];
    place = { siteCode: file.siteCode, environment: file.environment };
    refresh();
  });
}
