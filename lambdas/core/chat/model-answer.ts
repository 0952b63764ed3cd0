import { isOutage } from '../errors.ts';
import type { ChatModel, ModelUsage } from '../ports/chat-model.ts';
import type { Embedder } from '../ports/embedder.ts';
import { toldUsage } from '../usage/told-usage.ts';
import { type AnswerPiece, AnswerPieces } from './answer-pieces.ts';
import { CitationCheck, HAS_WORDS } from './checked-answer.ts';
import type { Phrases } from './phrases.ts';
import { answerMessages, MOST_ANSWER_TOKENS, NO_ANSWER } from './prompt.ts';
import type { Turn } from './session.ts';
import type { Source } from './sources.ts';
import type { Spending } from './spending.ts';

/** Some models put it into quotes or make it bold. */
const REFUSAL = new RegExp(`^[\\s"'*_\`]*${NO_ANSWER}\\b`);
/** Stops a model that never ends its answer. */
const MOST_PIECES = 80;

export type ModelAnswer = {
  readonly answer: string;
  /** `refused`: the model found no answer in the sources. `failed`: the provider did, before or within the answer. */
  readonly end: 'whole' | 'refused' | 'failed';
};

export type ModelAnswerDeps = {
  readonly model: ChatModel;
  /** Compares sentences with sources. The built-in one costs nothing. */
  readonly comparer: Embedder;
  readonly newBoundary: () => string;
  readonly report: (message: string, error: unknown) => void;
  readonly signal: AbortSignal;
  readonly spending: Spending;
};

type Asked = {
  readonly question: string;
  readonly sources: readonly Source[];
  readonly turns: readonly Turn[];
  readonly phrases: Phrases;
};

/** Yields the checked parts of a model's answer; together they are the answer. */
export async function* modelAnswer(
  { question, sources, turns, phrases }: Asked,
  deps: ModelAnswerDeps,
): AsyncGenerator<string, ModelAnswer> {
  const check = new CitationCheck(sources, deps.comparer);
  const reading = new Reading(answerMessages(question, sources, turns, deps.newBoundary()), deps);
  let answer = '';
  let gap = '';
  const said = new Set<string>();
  for await (const piece of reading.pieces()) {
    const whole = await check.checked(piece);
    const isRepeated = HAS_WORDS.test(piece.text) && said.has(whole);
    said.add(whole);
    // A model that goes round in circles.
    const checked = isRepeated ? '' : whole;
    const part = answer === '' ? checked.trimStart() : gap + checked;
    if (checked !== '') {
      answer += part;
      yield part;
      gap = '';
    }
    gap = wider(gap, piece.trail);
  }
  if (reading.isRefusal && answer === '') return { answer, end: 'refused' };
  const notes = [...(reading.failed ? [phrases.brokenOff] : []), ...(check.leftOut ? [phrases.leftOut] : [])];
  if (answer !== '' && notes.length > 0) {
    const note = `\n\n_${notes.join(' ')}_`;
    answer += note;
    yield note;
  }
  return { answer, end: reading.failed ? 'failed' : 'whole' };
}

/** Around sentences that are left out, a line end stays. */
const wider = (gap: string, trail: string): string => (trail.includes('\n') || gap === '' ? trail : gap);

/** One answer of the model, cut into pieces while it arrives. Its usage is recorded however it ends. */
class Reading {
  failed = false;
  isRefusal = false;
  #text = '';
  #usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  readonly #messages: ReturnType<typeof answerMessages>;
  readonly #deps: ModelAnswerDeps;

  constructor(messages: ReturnType<typeof answerMessages>, deps: ModelAnswerDeps) {
    this.#messages = messages;
    this.#deps = deps;
  }

  async *pieces(): AsyncGenerator<AnswerPiece> {
    const { model, signal, spending, report } = this.#deps;
    const stream = model.stream({ messages: this.#messages, maxTokens: MOST_ANSWER_TOKENS, signal });
    try {
      yield* this.#cut(stream);
    } catch (error) {
      signal.throwIfAborted();
      if (!isOutage(error)) throw error;
      report('the chat model failed', error);
      this.failed = true;
    } finally {
      await stream.return(this.#usage);
      // A call that did not begin is not paid.
      const isPaid = this.#text !== '' || !this.failed;
      if (isPaid) await spending.paid(toldUsage(this.#usage, this.#messages, this.#text));
    }
  }

  async *#cut(stream: AsyncGenerator<string, ModelUsage>): AsyncGenerator<AnswerPiece> {
    const pieces = new AnswerPieces();
    for (let count = 0; ; ) {
      const { value, done } = await stream.next();
      if (done) this.#usage = value;
      else this.#text += value;
      this.isRefusal = REFUSAL.test(this.#text);
      const complete = done ? pieces.end() : pieces.add(value);
      for (const piece of this.isRefusal ? [] : complete) {
        if (++count > MOST_PIECES) return;
        yield piece;
      }
      if (done) return;
    }
  }
}
