import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { UnavailableError } from '../../domain/errors.ts';
import type { ChatModel, ModelRequest, ModelUsage, StreamEnd } from '../../domain/ports/chat-model.ts';
import { describeError, limitedFetch, withProviderKey } from '../provider/provider-call.ts';
import { NO_KEY, type ProviderKey } from '../provider/provider-key.ts';
import { ReasoningFilter } from './reasoning-filter.ts';

/**
 * Deadlines for the beginning of an answer (all attempts together), for each further part, and for the whole answer.
 */
const FIRST_PART_MS = 8_000;
const NEXT_PART_MS = 6_000;
const STREAM_MS = 20_000;
/** The wait for the usage after the server has reported the end of its answer. */
const USAGE_MS = 2_000;
const RETRIES = 2;
/** The wait before a retry when the provider sends no Retry-After. A wait beyond the deadline fails at once. */
const RETRY_MS = 500;
/** Longer answers are cut. */
const MAX_CHARACTERS = 12_000;
/** Longer responses fail. No requested answer comes near this size. */
const MAX_BYTES = 2_000_000;

/** OpenAI's models that refuse a temperature and `max_tokens`. Some other servers know only those two parameters. */
const REASONING = /^(?:o\d|gpt-5)/;

/** Room for the model's reasoning, which counts against its limit. Without it, an answer is often empty. */
const THOUGHT_TOKENS = 4_000;
/** Returns the parameters of a reasoning model. `gpt-5-chat-latest` does not reason and refuses `reasoning_effort`. */
const thinking = (model: string, maxTokens: number) => ({
  max_completion_tokens: maxTokens + THOUGHT_TOKENS,
  ...(!model.includes('chat') && { reasoning_effort: 'low' as const }),
});

export type OpenaiChatOptions = { readonly key: ProviderKey; readonly baseUrl: string; readonly model: string };

type Chunk = OpenAI.ChatCompletionChunk;

/** Creates a chat model that calls the OpenAI API. */
export function openaiChatModel({ key, baseUrl, model }: OpenaiChatOptions): ChatModel {
  const ask = <T>(call: Call, request: (client: OpenAI) => Promise<T>): Promise<T> =>
    withProviderKey({ key, api: 'chat', deadlineMs: FIRST_PART_MS }, (apiKey) => {
      call.apiKey = apiKey;
      // null, because the client would read missing options from the environment.
      const client = new OpenAI({
        apiKey,
        baseURL: baseUrl,
        organization: null,
        project: null,
        logLevel: 'off',
        maxRetries: 0,
        fetch: limitedFetch(MAX_BYTES),
      });
      return withRetries(() => request(client), call);
    });
  const requestOf = ({ messages, maxTokens }: ModelRequest) => ({
    model,
    messages: [...messages],
    ...(REASONING.test(model) ? thinking(model, maxTokens) : { max_tokens: maxTokens, temperature: 0 }),
  });

  return {
    model,

    async *stream(request) {
      const call = new Call(request.signal, STREAM_MS);
      try {
        call.expectWithin(FIRST_PART_MS);
        const body = { ...requestOf(request), stream: true as const, stream_options: { include_usage: true } };
        const parts = await ask(call, ({ chat }) => chat.completions.create(body, { signal: call.signal }));
        return yield* textOf(parts, call);
      } catch (error) {
        throw describeError(error, 'chat', call.apiKey);
      } finally {
        call.end();
      }
    },

    async complete({ schema, deadlineMs, ...request }) {
      const call = new Call(request.signal, deadlineMs);
      try {
        const format = {
          type: 'json_schema' as const,
          json_schema: { name: schema.name, schema: schema.json, strict: true },
        };
        const body = { ...requestOf(request), response_format: format };
        const answer = await ask(call, ({ chat }) => chat.completions.create(body, { signal: call.signal }));
        const text = answer.choices?.[0]?.message?.content;
        if (typeof text !== 'string') throw new UnavailableError('the chat API answered no text');
        const usage = answer.usage ? usageOf(answer.usage) : UNKNOWN;
        return { value: parsed(text), usage };
      } catch (error) {
        throw describeError(error, 'chat', call.apiKey);
      } finally {
        call.end();
      }
    },
  };
}

const UNKNOWN: ModelUsage = { inputTokens: 0, outputTokens: 0 };

/** Recognises a complete text when the server does not report the end of its answer. */
const FINISHED_TEXT = /[.!?\])}`\u3002\uff01\uff1f]\s*$/;
const CUT: ReadonlySet<unknown> = new Set(['length', 'content_filter']);

/** Yields the answer's text in parts, without the model's reasoning. */
async function* textOf(parts: AsyncIterable<Chunk>, call: Call): AsyncGenerator<string, StreamEnd> {
  const thoughts = new ReasoningFilter();
  let usage = UNKNOWN;
  let reason: unknown;
  let length = 0;
  let last = '';
  for await (const chunk of parts) {
    if (chunk.usage) usage = usageOf(chunk.usage);
    reason = chunk.choices?.[0]?.finish_reason ?? reason;
    call.expectWithin(reason ? USAGE_MS : NEXT_PART_MS);
    const text = thoughts.without(textIn(chunk)).slice(0, MAX_CHARACTERS - length);
    length += text.length;
    if (text === '') continue;
    last = text;
    yield text;
    if (length === MAX_CHARACTERS) return { ...usage, isCut: true };
  }
  if (length === 0) throw new UnavailableError('the chat API answered nothing');
  if (!reason && !isFinished(call, usage, last)) throw new UnavailableError('the chat API broke off');
  return CUT.has(reason) ? { ...usage, isCut: true } : usage;
}

/** Tells whether an answer is complete. The client ends an aborted stream as if it were complete. */
const isFinished = (call: Call, usage: ModelUsage, last: string): boolean =>
  !call.signal.aborted && (usage !== UNKNOWN || FINISHED_TEXT.test(last));

/** Returns the text of a chunk. Checks its type, because a server may send anything. */
function textIn({ choices }: Chunk): string {
  const content: unknown = choices?.[0]?.delta?.content;
  return typeof content === 'string' ? content : '';
}

/** The deadlines of a call, and the signal that ends it. */
class Call {
  /** The key that was sent. Errors must not repeat it. */
  apiKey = NO_KEY;
  readonly signal: AbortSignal;
  readonly #silence = new AbortController();
  readonly #deadline: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal | undefined, totalMs: number) {
    this.#deadline = performance.now() + totalMs;
    this.signal = AbortSignal.any([AbortSignal.timeout(totalMs), this.#silence.signal, ...(signal ? [signal] : [])]);
  }

  /** Aborts the call unless this method or `end` is called again within the time. */
  expectWithin(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#silence.abort(), ms);
  }

  get leftMs(): number {
    return this.#deadline - performance.now();
  }

  /** Stops the timer, and aborts the provider's call if it still runs. */
  end(): void {
    clearTimeout(this.#timer);
    this.#silence.abort();
  }
}

/** Repeats a request that the provider postponed, after the wait that it asks for, if that is within the deadline. */
async function withRetries<T>(attempt: () => Promise<T>, call: Call): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = waitAfter(error);
      if (wait === undefined || retry === RETRIES || wait > Math.min(call.leftMs, FIRST_PART_MS)) throw error;
      await delay(wait, undefined, { signal: call.signal });
    }
  }
}

/** Returns the wait before another attempt, in milliseconds. Undefined if another attempt cannot succeed. */
function waitAfter(error: unknown): number | undefined {
  if (!(error instanceof OpenAI.APIError) || error instanceof OpenAI.APIUserAbortError) return undefined;
  const { status, headers } = error;
  if (status !== undefined && status !== 408 && status !== 429 && status < 500) return undefined;
  const [ms, seconds] = [Number(headers?.get('retry-after-ms') ?? Number.NaN), headers?.get('retry-after')];
  if (Number.isFinite(ms)) return ms;
  if (seconds === null || seconds === undefined) return RETRY_MS;
  const wait = Number.isFinite(Number(seconds)) ? 1000 * Number(seconds) : Date.parse(seconds) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : RETRY_MS;
}

const usageOf = ({ prompt_tokens, completion_tokens }: { prompt_tokens?: unknown; completion_tokens?: unknown }) => ({
  inputTokens: count(prompt_tokens),
  outputTokens: count(completion_tokens),
});

const count = (tokens: unknown): number =>
  typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;

/** Returns the JSON object in a text, or undefined. Some models put it into a code block or between sentences. */
function parsed(text: string): unknown {
  const said = new ReasoningFilter().without(text);
  try {
    return JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
