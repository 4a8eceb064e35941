// SPDX-License-Identifier: Apache-2.0
// Builds elements. What comes from files and requests only ever becomes text.

const vectorNamespace = "http://www.w3.org/2000/svg";

/** Texts longer than this get a box of their own that scrolls. */
const longText = 160;

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      for (const [key, text] of Object.entries(value)) element.dataset[key] = text;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element with attributes, listeners under `on`, and children; strings become text. */
export function make(name, properties, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** The same for vector graphics. */
export function draw(name, properties, ...children) {
  return fill(document.createElementNS(vectorNamespace, name), properties, children);
}

/** A text from outside: kept apart from the text around it whatever its direction. */
export function said(text, className = "") {
  const isLong = text.length > longText;
  return make(
    "bdi", { class: `said ${isLong ? "long" : ""} ${className}`, tabindex: isLong ? "0" : null }, text);
}

/** Words for names: a name from outside never finds what every object has, such as `constructor`. */
export function words(entries) {
  const map = new Map(Object.entries(entries));
  return (name) => map.get(name);
}

/** Replaces the text of an element, and touches the document only if it differs. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function byID(id) {
  return document.getElementById(id);
}

/** Replaces all children. */
export function show(element, ...children) {
  element.replaceChildren(...children.filter((child) => child));
}

const percentFormat = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });
const numberFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

export function percent(share) {
  return percentFormat.format(share);
}

export function number(value) {
  return numberFormat.format(value);
}

export function count(value, noun, plural = `${noun}s`) {
  return `${numberFormat.format(value)} ${value === 1 ? noun : plural}`;
}

/** The class of a variation's colour: the same in all bars of a flag. */
export function colour(position) {
  return position < 0 ? "c-none" : `c${position % 8}`;
}
