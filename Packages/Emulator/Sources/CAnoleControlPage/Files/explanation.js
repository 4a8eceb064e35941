// SPDX-License-Identifier: Apache-2.0
// Every step that led to a decision, as a tree.

import { colour, draw, make, number, percent, said, words } from "./dom.js";
import { flagNamed, position } from "./flags.js";

const outcomeOf = words({
  notTargeted: "not targeted, on to the next rule",
  notAdmitted: "not admitted",
  blockedByConsent: "blocked: consent was refused",
  splitExhausted: "no variation is left for this hash, on to the next rule",
  emptyDelivery: "a delivery of nothing",
  served: "served",
});

const sourceOf = words({
  visitorCode: "the visitor code",
  mappingIdentifier: "the mapping identifier",
  customData: "the custom data the flag is bucketed by",
});

function mark(isGood) {
  return make("span", { class: isGood ? "mark good" : "mark bad" }, isGood ? "yes" : "no");
}

function item(isGood, ...children) {
  return make("li", { class: "step" }, isGood === null ? make("span", { class: "mark" }, "·") : mark(isGood), " ", ...children);
}

function list(...items) {
  return make("ul", { class: "tree" }, ...items.filter(Boolean));
}

function hashText(hash) {
  return make("span", { class: "hash" }, "hash of ", said(hash.input, "value"), " is ", make("b", {}, number(hash.value)));
}

/** The colour of a range; the holdout, which is no flag, has its own. */
function shade(flag, entry) {
  if (flag) return colour(position(flag, entry.variation));
  return entry.variation === "in-holdout" ? "c7" : "c-none";
}

/** The ranges of a split with a needle where the hash fell. */
function ranges(flag, entries, hash, label) {
  let start = 0;
  const parts = entries.map((entry) => {
    const part = draw("rect", {
      x: start * 100, y: 5, width: Math.max(0, Math.min(entry.upTo, 1) - start) * 100, height: 10,
      class: `${shade(flag, entry)} ${entry.chosen ? "" : "faint"}`,
    });
    start = Math.min(entry.upTo, 1);
    return part;
  });
  if (start < 1) parts.push(draw("rect", { x: start * 100, y: 5, width: (1 - start) * 100, height: 10, class: "c-none faint" }));
  const needle = draw("rect", { x: Math.min(hash.value * 100, 99.5), y: 0, width: 0.6, height: 20, class: "needle" });
  return draw(
    "svg", { class: "ranges", viewBox: "0 0 100 20", preserveAspectRatio: "none", role: "img", "aria-label": label },
    ...parts, needle);
}

function rangeList(flag, entries) {
  let start = 0;
  return make(
    "ul", { class: "legend" },
    ...entries.map((entry) => {
      const text = `${number(start)}–${number(entry.upTo)}`;
      start = entry.upTo;
      return make(
        "li", { class: entry.chosen ? "chosen" : "" },
        make("span", { class: `swatch ${shade(flag, entry)}` }), said(entry.variation), " ",
        make("span", { class: "range" }, text));
    }));
}

function split(flag, hash, entries) {
  const chosen = entries.find((entry) => entry.chosen);
  return [
    hashText(hash),
    ranges(flag, entries, hash, `The hash ${number(hash.value)} falls into ${chosen?.variation ?? "no range"}`),
    rangeList(flag, entries),
  ];
}

function condition(entry) {
  const line = item(
    entry.match, entry.excluded && make("span", { class: "chip" }, "not"), said(entry.summary), " ",
    entry.note !== null && make("span", { class: "muted" }, said(entry.note)));
  if (entry.segment) line.append(segment(entry.segment));
  return joined(line, entry);
}

function joined(line, entry) {
  if (entry.joinsNextWith) line.append(" ", make("span", { class: "joint" }, entry.joinsNextWith.toLowerCase()));
  return line;
}

function segment(trace) {
  const groups = trace.groups.map((group) =>
    group.conditions.length === 1 && !group.joinsNextWith
      ? condition(group.conditions[0])
      : joined(item(group.match, "group of conditions", list(...group.conditions.map(condition))), group));
  return list(item(trace.match, `segment ${trace.id}`, list(...groups)));
}

function rule(flag, trace) {
  const isServed = trace.outcome === "served";
  const kind = trace.type === "TARGETED_DELIVERY" ? "delivery" : trace.type.toLowerCase();
  const line = item(
    isServed, make("b", {}, `rule ${trace.id}`), " ", make("span", { class: "muted" }, said(kind), `, experiment ${trace.experimentId}`),
    ": ", outcomeOf(trace.outcome) ?? said(trace.outcome));
  const steps = [];
  if (trace.forced !== null) steps.push(item(true, "forced ", said(trace.forced)));
  if (trace.segment) {
    steps.push(item(trace.segment.match, "targeting", segment(trace.segment)));
  } else if (trace.forced === null) {
    steps.push(item(true, "targeting: open to everybody"));
  }
  if (trace.admission) {
    const isAdmitted = trace.admission.value <= trace.exposition;
    const admitted = [{ variation: "admitted", upTo: trace.exposition, chosen: isAdmitted }];
    steps.push(
      item(
        isAdmitted, `admission: ${percent(trace.exposition)} are admitted; `, hashText(trace.admission),
        admission(admitted, trace)));
  }
  if (trace.banditCandidates.length) steps.push(item(null, `bandit scores leave variations ${trace.banditCandidates.join(", ")}`));
  if (trace.choice) steps.push(item(null, "choice: ", ...split(flag, trace.choice, trace.ranges)));
  if (steps.length) line.append(list(...steps));
  return line;
}

function admission(entries, trace) {
  const share = Math.min(Math.max(trace.exposition, 0), 1);
  return draw(
    "svg",
    {
      class: "ranges", viewBox: "0 0 100 20", preserveAspectRatio: "none", role: "img",
      "aria-label": `The hash ${number(trace.admission.value)} is ${entries[0].chosen ? "within" : "above"} ${number(share)}`,
    },
    draw("rect", { x: 0, y: 5, width: share * 100, height: 10, class: "c-admitted" }),
    draw("rect", { x: share * 100, y: 5, width: (1 - share) * 100, height: 10, class: "c-none faint" }),
    draw("rect", { x: Math.min(trace.admission.value * 100, 99.5), y: 0, width: 0.6, height: 20, class: "needle" }));
}

function consent(trace) {
  if (!trace.required) return item(true, "consent is not required");
  const isFine = trace.state !== "refused";
  return item(isFine, `consent is required: ${trace.state}; a refusal blocks ${trace.blocksFully ? "every flag" : "experiments"}`);
}

/** The tree of a trace, with the outcome above it. */
export function explanation(trace) {
  const flag = flagNamed(trace.flag);
  const outcome = trace.outcome;
  const verdict = outcome
    ? make(
      "p", { class: "verdict" }, make("span", { class: `swatch ${colour(position(flag, outcome.variation))}` }),
      said(trace.visitor), " gets ", said(outcome.variation, "strong"), make("span", { class: "muted" }, ` — ${outcome.explanation}`))
    : make("p", { class: "verdict" }, said(trace.visitor), " gets nothing", make("span", { class: "muted" }, " — ", said(trace.failure ?? "")));
  const steps = [
    item(null, `hashed by ${sourceOf(trace.hashKeySource) ?? trace.hashKeySource}: `, said(trace.hashKey, "value")),
    consent(trace.consent),
    item(trace.environmentEnabled, trace.environmentEnabled ? "the flag is switched on" : "the flag is switched off"),
  ];
  if (trace.simulated) steps.push(item(true, "a simulated variation decides"));
  if (trace.holdout) {
    const { holdout } = trace;
    steps.push(
      item(
        !holdout.inHoldout, holdout.inHoldout ? "kept out of every flag by the holdout: " : "not in the holdout: ",
        ...split(null, holdout.hash, holdout.ranges)));
  }
  if (trace.group) {
    const { group } = trace;
    const isPicked = group.picked === trace.flag;
    steps.push(
      item(
        isPicked, "group ", said(group.name), " picks ", said(group.picked, "strong"), ` of ${group.members.length}; `,
        group.hash && hashText(group.hash)));
  }
  steps.push(...trace.rules.map((entry) => rule(flag, entry)));
  return make("div", { class: "explanation" }, verdict, list(...steps));
}
