// SPDX-License-Identifier: Apache-2.0
// Requests to the control endpoint.

/** An answer that says no; its message is a sentence. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Ids can be larger than the numbers that JavaScript holds exactly: such a one stays the text it was.
function exact(_key, value, context) {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
    ? context.source
    : value;
}

async function request(path, options) {
  const response = await fetch(`/_control/${path}`, { cache: "no-store", ...options });
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text, exact);
  } catch {
    throw new Refusal(response.status, `The emulator answered ${response.status} without JSON.`);
  }
  if (!response.ok) throw new Refusal(response.status, answer.error ?? `The emulator answered ${response.status}.`);
  return answer;
}

/** Reads; members of the query that are null are left out. */
export function read(name, query = {}, signal = undefined) {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null));
  // The endpoint decodes %20, not plus signs.
  const text = parameters.toString().replaceAll("+", "%20");
  return request(text ? `${name}?${text}` : name, { signal });
}

export function send(name, body) {
  return request(name, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

export function remove(name) {
  return request(name, { method: "DELETE" });
}
