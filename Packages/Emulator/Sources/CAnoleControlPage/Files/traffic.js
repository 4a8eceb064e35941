// SPDX-License-Identifier: Apache-2.0
// Simulated traffic: the shares that many visitors get against those that the rules promise.

import { send } from "./api.js";
import { byID, colour, count, draw, make, number, percent, said, show } from "./dom.js";
import { currentPlace, flagNamed, position } from "./flags.js";
import { context, updateChoice } from "./visitor.js";

let isShown = false;
let request = 0;

function bar(row, largest, index) {
  const scale = 96 / largest;
  const expected = row.expectedShare;
  const label = `${percent(row.share)} observed${expected === null ? "" : `, ${percent(expected)} expected`}`;
  return draw(
    "svg", { class: "share-bar", viewBox: "0 0 100 14", preserveAspectRatio: "none", role: "img", "aria-label": label },
    draw("rect", { x: 0, y: 2, width: 100, height: 10, class: "track" }),
    draw("rect", { x: 0, y: 2, width: Math.max(row.share * scale, row.count ? 0.3 : 0), height: 10, class: colour(index) }),
    expected !== null && expected !== undefined
      ? draw("rect", { x: Math.max(0, expected * scale - 0.4), y: 0, width: 0.8, height: 14, class: "needle" })
      : draw("g"));
}

function line(row, flag, largest) {
  const index = position(flag, row.variation);
  const difference = row.difference;
  return make(
    "tr", {},
    make(
      "th", { scope: "row" }, make("span", { class: `swatch ${colour(index)}` }), row.variation === null ? "nothing" : said(row.variation),
      make("span", { class: "muted reason" }, said(row.explanation ?? row.status ?? ""))),
    make("td", { class: "chart" }, bar(row, largest, index)),
    make("td", { class: "figure" }, percent(row.share), make("span", { class: "muted" }, count(row.count, "visitor"))),
    make(
      "td", { class: "figure" }, row.expectedShare === null ? "?" : percent(row.expectedShare),
      make("span", { class: "muted" }, difference === null ? "" : `${difference >= 0 ? "+" : "−"}${number(Math.abs(Math.round(difference * 1e4) / 100))} points`)));
}

function result(answer) {
  const flag = flagNamed(answer.flag);
  const largest = Math.max(0.0001, ...answer.outcomes.map((row) => Math.max(row.share, row.expectedShare ?? 0)));
  const isBad = answer.verdict === "differs" || answer.verdict === "unforeseen";
  return [
    make(
      "p", { class: `verdict ${isBad ? "bad" : ""}` }, said(answer.sentence.charAt(0).toUpperCase() + answer.sentence.slice(1)), answer.pValue === null ? "." : ` (p = ${answer.pValue.toPrecision(3)}).`),
    make(
      "div", { class: "scroll" },
      make(
        "table", { class: "shares" },
        make("caption", {}, "Shares of ", said(answer.flag), ` among ${count(answer.visitors, "visitor")}`),
        make("thead", {}, make(
          "tr", {}, make("th", { scope: "col" }, "Variation"), make("td"), make("th", { scope: "col" }, "Observed"),
          make("th", { scope: "col" }, make("span", { class: "needle-sample" }), "Expected"))),
        make("tbody", {}, ...answer.outcomes.map((row) => line(row, flag, largest))))),
    answer.remarks?.length > 0 && make("ul", { class: "muted" }, ...answer.remarks.map((text) => make("li", {}, said(text)))),
  ];
}

async function simulate() {
  const form = byID("traffic-form");
  if (form.elements.flag.value === "") return;
  request += 1;
  const own = request;
  const button = form.querySelector("button");
  button.setAttribute("aria-busy", "true");
  const body = { ...currentPlace(), flag: form.elements.flag.value, visitors: Number(form.elements.visitors.value) };
  if (form.elements.data.checked) {
    const { targetingKey: _, ...data } = context();
    body.context = data;
  }
  try {
    const answer = await send("simulation", body);
    if (own !== request) return;
    isShown = true;
    show(byID("traffic-answer"), ...result(answer));
  } catch (error) {
    if (own === request) show(byID("traffic-answer"), make("p", { class: "bad" }, said(error.message)));
  } finally {
    if (own === request) button.removeAttribute("aria-busy");
  }
}

export function update() {
  updateChoice(byID("traffic-flag"));
  if (isShown) simulate();
}

export function start() {
  byID("traffic-form").addEventListener("submit", (event) => {
    event.preventDefault();
    simulate();
  });
}
