// SPDX-License-Identifier: Apache-2.0
// Remote flags: what the server decides, and the switch that kills one.

import { send } from "./api.js";
import { byID, make, said, show } from "./dom.js";

let notify = () => {};

async function change(application, flag, member, value, sentence) {
  try {
    await send("remote-flag", { key: flag.key, [member]: value, application });
    notify(`${flag.key} ${sentence}: apps get it with their next request.`);
  } catch (error) {
    notify(error.message, true);
  }
}

function toggle(label, isOn, onToggle, className) {
  return make(
    "button",
    {
      type: "button", class: `switch ${className}`, role: "switch", "aria-checked": String(isOn), "aria-label": label,
      on: { click: (event) => onToggle(event.currentTarget.getAttribute("aria-checked") !== "true") },
    },
    make("span", { class: "knob" }));
}

function properties(members) {
  const entries = Object.entries(members ?? {});
  if (!entries.length) return null;
  return make(
    "ul", { class: "legend" },
    ...entries.map(([key, value]) => make("li", {}, said(key), " = ", said(JSON.stringify(value), "value"))));
}

function rule(entry) {
  const users = [...(entry.users ?? []), ...(entry.devices ?? [])];
  return make(
    "section", { class: "rule" },
    make(
      "p", { class: "rule-title" }, make("b", {}, said(entry.id)),
      make("span", { class: "chip" }, entry.enabled === false ? "off" : "on"),
      make("span", { class: "muted" }, users.length ? "for " : "for everybody"), ...users.map((user) => said(user, "chip"))),
    properties(entry.properties));
}

function card(application, flag) {
  const isKilled = flag.killed === true;
  const isOn = flag.enabled === true;
  const state = isKilled ? "killed" : isOn ? "on" : "off";
  return make(
    "article", { class: `flag ${isKilled ? "is-off" : ""}`, data: { remote: flag.key } },
    make(
      "div", { class: "flag-title" },
      toggle(
        `${flag.key} on for those whom no rule admits`, isOn,
        (value) => change(application, flag, "enabled", value, value ? "is on" : "is off"), ""),
      make("h3", {}, said(flag.key)), make("span", { class: `state ${isKilled ? "bad" : ""}` }, state),
      make("label", { class: "kill" }, "Kill", toggle(
        `Kill ${flag.key}`, isKilled,
        (value) => change(application, flag, "killed", value, value ? "is killed" : "lives again"), "danger"))),
    flag.archived === true && make("p", { class: "flag-facts" }, make("span", { class: "chip" }, "archived")),
    properties(flag.properties), ...(flag.rules ?? []).map(rule));
}

/** Shows the remote flags of the view, unless they are the same as before. */
export function update(view) {
  const list = byID("remote-list");
  const form = JSON.stringify(view.remoteFlags);
  if (list.dataset.form === form) return;
  list.dataset.form = form;
  // The switches are made anew: the one that was just used keeps the focus.
  const label = list.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  const several = view.remoteFlags.length > 1;
  const parts = view.remoteFlags.flatMap(({ application, rules }) => [
    several && make("h3", { class: "group-title" }, application === null ? "All other applications" : said(application)),
    rules.plan === false && make("p", { class: "muted" }, "The plan has no feature flags: apps get none."),
    ...(rules.flags ?? []).map((flag) => card(application, flag)),
  ]);
  show(list, ...parts);
  byID("remote-empty").hidden = list.childElementCount > 0;
  if (label !== null) {
    [...list.querySelectorAll("button")].find((button) => button.getAttribute("aria-label") === label)?.focus();
  }
}

export function start(onNotice) {
  notify = onNotice;
}
