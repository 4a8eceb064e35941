// SPDX-License-Identifier: Apache-2.0
// The visitor box: who asks, what they get, and why.

import { send } from "./api.js";
import { byID, colour, make, said, show } from "./dom.js";
import { explanation } from "./explanation.js";
import { currentFlags, currentPlace, declaredData, flagNamed, position } from "./flags.js";

const plainNames = ["consent", "device", "os", "browser", "appVersion", "country", "region", "city"];

let notify = () => {};
let isShown = false;
let request = 0;

function addRow(name = "", value = "") {
  const row = make(
    "div", { class: "custom-row" },
    make("input", { class: "custom-name", list: "custom-names", "aria-label": "Name or index of custom data", placeholder: "name", spellcheck: "false" }),
    make("input", { class: "custom-value", "aria-label": "Value of custom data", placeholder: "value", spellcheck: "false" }),
    make(
      "button", {
        type: "button", class: "quiet", "aria-label": "Remove this custom data",
        on: {
          click: () => {
            row.remove();
            byID("custom-add").focus();
          },
        },
      }, "Remove"));
  row.querySelector(".custom-name").value = name;
  row.querySelector(".custom-value").value = value;
  byID("custom-rows").append(row);
  return row;
}

/** What the form says about the visitor, as the control endpoint takes it. */
export function context() {
  const form = byID("visitor-form");
  const result = { targetingKey: form.elements.code.value };
  for (const name of plainNames) {
    const { value } = form.elements[name];
    if (value !== "") result[name] = value;
  }
  const data = {};
  for (const row of byID("custom-rows").children) {
    const name = row.querySelector(".custom-name").value;
    const { value } = row.querySelector(".custom-value");
    if (name === "") continue;
    // One name in several rows has several values. (A plain object would take __proto__ for something else.)
    data[`=${name}`] = [...(data[`=${name}`] ?? []), value];
  }
  const entries = Object.entries(data).map(([name, values]) => [name.slice(1), values]);
  if (entries.length) result.customData = Object.fromEntries(entries);
  return result;
}

function row(decision, selected) {
  const flag = flagNamed(decision.flag);
  const swatch = make("span", { class: `swatch ${colour(position(flag, decision.variation))}` });
  return make(
    "tr", { class: decision.flag === selected ? "selected" : "" },
    make(
      "th", { scope: "row" },
      make("button", { type: "button", class: "link", on: { click: () => choose(decision.flag) } }, said(decision.flag))),
    make("td", {}, decision.variation === null ? make("span", { class: "muted" }, "nothing") : make("span", {}, swatch, said(decision.variation))),
    make("td", { class: "muted" }, said(decision.explanation)));
}

async function explain() {
  const code = byID("visitor-code");
  if (code.value === "" || !currentFlags().length) return;
  request += 1;
  const number = request;
  const flag = byID("visitor-flag").value;
  let answer;
  try {
    answer = await send("explanation", { ...currentPlace(), flag, context: context() });
  } catch (error) {
    if (number === request) show(byID("visitor-answer"), make("p", { class: "bad" }, said(error.message)));
    return;
  }
  // A later question was asked meanwhile.
  if (number !== request) return;
  isShown = true;
  show(
    byID("visitor-answer"), answer.explanation && explanation(answer.explanation),
    answer.remarks.length > 0 && make("ul", { class: "muted" }, ...answer.remarks.map((text) => make("li", {}, said(text)))),
    make(
      "details", { class: "all" , open: byID("visitor-answer").querySelector("details.all")?.open ?? true },
      make("summary", {}, `All flags for ${code.value.length > 40 ? "this visitor" : code.value}`),
      make(
        "div", { class: "scroll" },
        make("table", {}, make("tbody", {}, ...answer.decisions.map((decision) => row(decision, flag)))))));
}

/** Asks for the explanation of a flag. */
export function choose(key) {
  byID("visitor-flag").value = key;
  byID("visitor").scrollIntoView({ block: "nearest" });
  byID("visitor-code").focus({ preventScroll: true });
  explain();
}

/** Fills a choice of flags, keeping what is chosen. */
export function updateChoice(select) {
  const keys = currentFlags().map(({ key }) => key);
  const form = JSON.stringify(keys);
  if (select.dataset.form === form) return;
  select.dataset.form = form;
  const { value } = select;
  show(select, ...keys.map((key) => make("option", { value: key }, key.length > 80 ? `${key.slice(0, 80)}…` : key)));
  if (keys.includes(value)) select.value = value;
}

export function update() {
  updateChoice(byID("visitor-flag"));
  show(
    byID("custom-names"),
    ...declaredData().map(({ index, name }) => make("option", { value: name ?? String(index) }, name === null ? "" : `index ${index}`)));
  if (isShown) explain();
}

export function start(onNotice) {
  notify = onNotice;
  byID("visitor-form").addEventListener("submit", (event) => {
    event.preventDefault();
    explain();
  });
  byID("visitor-flag").addEventListener("change", explain);
  byID("custom-add").addEventListener("click", () => addRow().querySelector("input").focus());
  byID("visitor-next").addEventListener("click", () => {
    const code = byID("visitor-code");
    const [, stem, digits] = /^(.*?)([0-9]*)$/su.exec(code.value);
    code.value = stem + String((BigInt(digits || "0") + 1n));
    notify(`Now ${code.value.length > 60 ? "the next visitor" : code.value}.`);
    explain();
  });
}
