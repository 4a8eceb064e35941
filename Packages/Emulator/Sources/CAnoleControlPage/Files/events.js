// SPDX-License-Identifier: Apache-2.0
// What the emulator received, newest first.

import { remove } from "./api.js";
import { byID, colour, make, said, setText, words } from "./dom.js";
import { exposure, position } from "./flags.js";

/** How many entries the list holds; older ones go. */
const maximumEntries = 200;
/** How many requests wait while the list stands still. */
const maximumWaiting = 1000;

const nameOf = words({
  experiment: "exposure", targetingSegment: "segment", customData: "custom data", conversion: "conversion",
  geolocation: "place", staticData: "visitor data", page: "page view", activity: "activity",
});
const routeName = words({
  config: "data file", sse: "stream", tracking: "tracking", visitorData: "visitor data", remoteData: "remote data",
  token: "token", featureFlags: "remote flags", registerUser: "register user", registerDevice: "register device",
  postEvent: "device event", unknown: "unknown",
});
const shownApart = ["eventType", "nonce", "visitorCode", "mappingValue", "userAgent"];

let notify = () => {};
let isPaused = false;
let held = [];

function values(pairs) {
  return make(
    "span", { class: "pairs" },
    ...pairs.flatMap(([name, value]) => [make("span", { class: "pair" }, make("span", { class: "muted" }, said(name), "="), said(value)), " "]));
}

function about(type, pairs) {
  const parts = Object.create(null);
  for (const [name, value] of pairs) parts[name] ??= value;
  if (type !== "experiment") return null;
  const found = exposure(parts.id, parts.variationId);
  if (!found) return null;
  const name = found.flag ? said(found.flag.key, "strong") : make("b", {}, "holdout");
  return make(
    "span", {}, name, " → ", make("span", { class: `swatch ${colour(position(found.flag, found.variation))}` }),
    said(found.variation ?? "?"), " ");
}

function findings(entries) {
  return entries.map((finding) =>
    make(
      "p", { class: "finding" }, make("b", {}, finding.kind === "duplicateNonce" ? "duplicate" : finding.kind), " ",
      said(finding.message)));
}

function trackedEvent(request, pairs, line) {
  const first = (name) => pairs.find(([key]) => key === name)?.[1];
  const type = first("eventType") ?? "";
  const found = (request.findings ?? []).filter((finding) => finding.line === line);
  const isDuplicate = found.some(({ kind }) => kind === "duplicateNonce");
  return make(
    "li",
    {
      class: `event ${found.length ? "has-findings" : ""} ${isDuplicate ? "is-duplicate" : ""}`,
      data: { kind: "event", sequence: request.sequence },
    },
    make(
      "p", { class: "event-title" }, make("span", { class: "badge" }, nameOf(type) ?? said(type || "no type")), " ",
      said(first("visitorCode") ?? first("mappingValue") ?? "nobody", "visitor"),
      isDuplicate && make("span", { class: "badge bad" }, "duplicate"),
      request.status !== 204 && make("span", { class: "badge bad" }, `answered ${request.status ?? "nothing"}`),
      make("span", { class: "muted number" }, `#${request.sequence}`)),
    make("p", {}, about(type, pairs), values(pairs.filter(([name]) => !shownApart.includes(name)))),
    ...findings(found));
}

function impression(request) {
  const { application, user, key, rule, enabled } = request.impression;
  return make(
    "li", { class: "event", data: { kind: "impression", sequence: request.sequence } },
    make(
      "p", { class: "event-title" }, make("span", { class: "badge" }, "impression"), " ", said(user, "visitor"),
      request.status !== 200 && make("span", { class: "badge bad" }, `answered ${request.status ?? "nothing"}`),
      make("span", { class: "muted number" }, `#${request.sequence}`)),
    make(
      "p", {}, said(key, "strong"), ` is ${enabled ? "on" : "off"} by `, rule === "" ? "the kill switch" : said(rule, "value"),
      make("span", { class: "muted" }, " in ", said(application))));
}

function plain(request) {
  return make(
    "li", { class: "event is-plain", data: { kind: "request", sequence: request.sequence } },
    make(
      "p", { class: "event-title" }, make("span", { class: "badge quiet" }, routeName(request.route) ?? request.route), " ",
      said(`${request.method} ${request.path}`, "value"),
      make(
        "span", { class: request.status >= 400 || request.status === null ? "badge bad" : "badge quiet" },
        request.status === null ? "no answer" : String(request.status)),
      request.faulted && make("span", { class: "badge bad" }, "fault"),
      make("span", { class: "muted number" }, `#${request.sequence}`)),
    request.query.length > 0 && make("p", {}, values(request.query)));
}

/** The entries of a request, in the order in which they arrived. */
function entries(request) {
  const result = [plain(request)];
  if (request.events) result.push(...request.events.map((pairs, index) => trackedEvent(request, pairs, index + 1)));
  if (request.skippedEvents) result.push(make("li", { class: "event muted" }, `and ${request.skippedEvents} events more`));
  if (request.impression) result.push(impression(request));
  return result;
}

function add(requests) {
  const list = byID("event-list");
  // Only what will stay is made.
  const made = requests.slice(-maximumEntries).flatMap(entries).slice(-maximumEntries);
  list.prepend(...made.reverse());
  while (list.childElementCount > maximumEntries) list.lastElementChild.remove();
  updateEmpty();
}

function updateEmpty() {
  const list = byID("event-list");
  const isAll = byID("events-all").checked;
  list.classList.toggle("with-plain", isAll);
  byID("events-empty").hidden = list.querySelector(isAll ? ".event" : ".event:not(.is-plain)") !== null;
}

/** Shows an answer of the feed. */
export function update(answer, isFresh) {
  if (isFresh) {
    byID("event-list").replaceChildren();
    held = [];
  }
  if (isPaused) {
    held = [...held, ...answer.requests].slice(-maximumWaiting);
    setText(byID("events-pause"), `Go on (${held.length})`);
  } else {
    add(answer.requests);
  }
}

export function start(onNotice) {
  notify = onNotice;
  byID("events-all").addEventListener("change", updateEmpty);
  byID("events-pause").addEventListener("click", (event) => {
    isPaused = !isPaused;
    event.target.setAttribute("aria-pressed", String(isPaused));
    setText(event.target, isPaused ? "Go on" : "Pause");
    if (isPaused) return;
    add(held);
    held = [];
  });
  byID("events-clear").addEventListener("click", async () => {
    try {
      await remove("journal");
    } catch (error) {
      notify(error.message, true);
      return;
    }
    held = [];
    byID("event-list").replaceChildren();
    updateEmpty();
    notify("The journal is empty.");
  });
}
