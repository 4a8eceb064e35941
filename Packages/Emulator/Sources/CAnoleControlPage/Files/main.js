// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

import { byID, count, setText } from "./dom.js";
import * as events from "./events.js";
import { follow } from "./feed.js";
import * as flags from "./flags.js";
import * as remote from "./remote.js";
import * as traffic from "./traffic.js";
import * as visitor from "./visitor.js";

/** Tells in one line what was done or went wrong. */
function notify(text, isBad = false) {
  const notice = byID("notice");
  notice.classList.toggle("bad", isBad);
  setText(notice, text);
}

function showLink(isConnected) {
  byID("link").dataset.state = isConnected ? "on" : "off";
  setText(byID("link-text"), isConnected ? "live" : "the emulator does not answer");
}

let revision = null;

async function showNews(answer, isFresh) {
  setText(byID("streams"), String(answer.streams));
  setText(byID("streams-noun"), answer.streams === 1 ? "open stream" : "open streams");
  setText(byID("requests"), String(answer.count));
  setText(byID("requests-noun"), answer.count === 1 ? "request" : "requests");
  if (isFresh || answer.revision !== revision) {
    revision = answer.revision;
    await flags.refresh();
  }
  events.update(answer, isFresh);
  if (answer.skipped) notify(`${count(answer.skipped, "older request")} are not shown.`);
}

flags.start(notify, visitor.choose);
remote.start(notify);
visitor.start(notify);
traffic.start();
events.start(notify);
flags.whenRead((view) => {
  remote.update(view);
  visitor.update();
  traffic.update();
});
// One answer after the other, so that events find the flags that they are about.
let last = Promise.resolve();
follow((answer, isFresh) => {
  last = last.then(() => showNews(answer, isFresh));
}, showLink);
