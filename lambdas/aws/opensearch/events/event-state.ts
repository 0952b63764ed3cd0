import * as z from 'zod';
import { parseAnswer } from '../search/multi-search.ts';
import { type EventIndex, stateOf } from './event-index.ts';

const State = z.object({
  docs: z.tuple([z.object({ _source: z.object({ rolledUpTo: z.string() }).optional() })]),
});

/** Returns the last day that is read from its roll-up. */
export async function readRolledUpTo(index: EventIndex): Promise<string | undefined> {
  const path = `/${stateOf(index)}/_mget`;
  const answer = await index.client.send({ method: 'POST', path, body: { ids: ['roll-up'] } });
  return parseAnswer(State, answer).docs[0]._source?.rolledUpTo;
}
