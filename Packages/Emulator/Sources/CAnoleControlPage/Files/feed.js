// SPDX-License-Identifier: Apache-2.0
// What happens on the emulator, as it happens: each request to the feed is answered when there is news.

import { read } from "./api.js";

const shortestPause = 250;
const longestPause = 4000;

function untilVisible() {
  return new Promise((resolve) => {
    const listener = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", listener);
      resolve();
    };
    document.addEventListener("visibilitychange", listener);
  });
}

/**
 * Calls `onNews(answer, isFresh)` for ever; `isFresh` says that the emulator is another one than before, so
 * that what is shown of it is out of date. `onLink(isConnected)` tells whether it can be reached.
 */
export async function follow(onNews, onLink) {
  let known = null;
  let pause = shortestPause;
  for (;;) {
    // A page that nobody sees keeps no connection: browsers allow only a few to one server.
    if (document.hidden && known) await untilVisible();
    try {
      const query = known ? { after: known.sequence, revision: known.revision, streams: known.streams } : {};
      let answer = await read("feed", query);
      const isFresh = known === null || answer.sequence < known.sequence;
      if (isFresh && known) answer = await read("feed");
      known = { sequence: answer.sequence, revision: answer.revision, streams: answer.streams };
      onLink(true);
      onNews(answer, isFresh);
      pause = shortestPause;
    } catch (error) {
      if (!(error instanceof TypeError) && error.name !== "Refusal" && error.status === undefined) throw error;
      onLink(false);
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, longestPause);
    }
  }
}
