import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is there; throws after `limitMs`. */
export async function until<T>(ask: () => Promise<T | undefined | false>, limitMs = 15_000): Promise<T> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(25);
  }
  throw new Error(`not within ${limitMs} ms: ${ask}`);
}
