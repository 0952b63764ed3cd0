import * as z from 'zod';

const Count = z.int().min(0);

const source = {
  /** Unique: an event that is appended again counts once. */
  id: z.string().min(1).max(100),
  /** Epoch milliseconds. Like the id, it must be the same in every attempt to append the event. */
  at: z.int().min(0),
  orgId: z.string(),
  /** Absent for a group, whose searches count for the organisation but not for its sites. */
  siteId: z.string().exactOptional(),
};

const Search = z.object({
  ...source,
  type: z.literal('search'),
  query: z.string(),
  /** Absent if it is unknown, because a cache answered. */
  results: Count.exactOptional(),
  /** Distinguishes the visitors of one site on one day; see visitor.ts. */
  visitor: z.string().max(64).exactOptional(),
});

const Chat = z.object({
  ...source,
  type: z.literal('chat'),
  /** The question. */
  query: z.string(),
  refused: z.boolean(),
  /** Whether the answer was made without the model, because the model failed. */
  degraded: z.boolean(),
  model: z.string().exactOptional(),
  tokens: Count,
  /** Tokens that were not paid, because an earlier answer was reused. */
  savedTokens: Count,
});

const Click = z.object({
  ...source,
  type: z.literal('click'),
  query: z.string(),
  url: z.string(),
  /** 1 for the first result. */
  position: z.int().min(1),
});

const Feedback = z.object({
  ...source,
  type: z.literal('feedback'),
  query: z.string().exactOptional(),
  helpful: z.boolean(),
  comment: z.string().exactOptional(),
  /** Whether an agent says so. If it was not helped, its query counts like a question without an answer. */
  agent: z.literal(true).exactOptional(),
});

/** An event on a site or a group. It contains no address, and its texts are masked (mask-personal-data.ts). */
export const LoggedEvent = z.discriminatedUnion('type', [Search, Chat, Click, Feedback]);
export type LoggedEvent = z.infer<typeof LoggedEvent>;
