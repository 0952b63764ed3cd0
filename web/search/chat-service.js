/** Asks the chat of a site. The answer is a stream of events. */

import { list, publicPath, record, text, withKey } from './request.js';

/** @typedef {{ url: string, title: string }} ChatSource */
/**
 * @typedef {{ type: 'sources', sources: ChatSource[] } | { type: 'token', text: string }
 *   | { type: 'done', sessionId: string }} ChatEvent
 */

const longestFrame = 200_000;

/**
 * Yields the events of a streamed answer. Yields none if the site has no chat. Throws when the connection breaks.
 * @param {{ siteId: string, query: string, tag?: string }} asked @param {string | undefined} key
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<ChatEvent>}
 */
export async function* askSite({ siteId, query, tag }, key, signal) {
  const response = await fetch(publicPath(siteId, 'chat'), {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...withKey(key) },
    body: JSON.stringify({ message: query, ...(tag && { filters: { tags: tag } }) }),
    signal,
  });
  if (!response.ok || !response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const frames = (rest + part.value).split('\n\n');
    rest = frames.pop() ?? '';
    if (rest.length > longestFrame) return;
    for (const frame of frames) yield* chatEvents(frame);
  }
}

/** @param {string} frame @returns {ChatEvent[]} */
export function chatEvents(frame) {
  const [, name, data = ''] = /^event: (sources|token|done)\ndata: (.*)$/.exec(frame) ?? [];
  const body = name === undefined ? {} : record(JSON.parse(data));
  if (name === 'token') return [{ type: name, text: text(body.text) }];
  if (name === 'done') return [{ type: name, sessionId: text(body.sessionId) }];
  if (name !== 'sources') return [];
  const sources = list(body.sources).map((item) => ({ url: text(record(item).url), title: text(record(item).title) }));
  return [{ type: name, sources }];
}
