import { isOutage } from '../errors.ts';
import type { ChatModel, StreamEnd } from '../ports/chat-model.ts';
import type { Embedder } from '../ports/embedder.ts';
import { reportedUsage } from '../ports/rules/reported-usage.ts';
import { type AnswerPiece, AnswerPieces } from './answer-pieces.ts';
import { AnswerText } from './answer-text.ts';
import { CitationCheck } from './checked-answer.ts';
import type { Phrases } from './phrases.ts';
import { answerMessages, MAX_ANSWER_TOKENS, NO_ANSWER } from './prompt.ts';
import type { Turn } from './session.ts';
import type { Source } from './sources.ts';
import type { Spending } from './spending.ts';

/** Some models quote the refusal or set it in bold. */
const REFUSAL = new RegExp(`^[\\s"'*_\`]*${NO_ANSWER}\\b`);
/** Most pieces read, in case a model never ends its answer. */
const MAX_PIECES = 80;

export type ModelAnswer = {
  readonly answer: string;
  /** `refused`: the model found no answer in the sources. `failed`: the provider failed before or during the answer. */
  readonly end: 'whole' | 'refused' | 'failed';
};

export type ModelAnswerDeps = {
  readonly model: ChatModel;
  /** Compares sentences with sources. The built-in embedder costs nothing. */
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

/** Yields the checked parts of a model's answer. Joined, they are the answer. */
export async function* modelAnswer(
  { question, sources, turns, phrases }: Asked,
  deps: ModelAnswerDeps,
): AsyncGenerator<string, ModelAnswer> {
  const check = new CitationCheck(sources, deps.comparer);
  const reading = new Reading(answerMessages(question, sources, turns, deps.newBoundary()), deps);
  const answer = new AnswerText();
  for await (const piece of reading.pieces()) {
    const part = answer.add(await check.checked(piece), piece);
    if (part !== '') yield part;
  }
  if (reading.isRefusal && answer.text === '') return { answer: '', end: 'refused' };
  const end = answer.end(reading.notes(phrases, check.leftOut));
  if (end !== '') yield end;
  return { answer: answer.text, end: reading.failed ? 'failed' : 'whole' };
}

/** Reads one answer of the model and cuts it into pieces while it arrives. Records its usage however it ends. */
class Reading {
  failed = false;
  isRefusal = false;
  #brokeOff = false;
  #text = '';
  #usage: StreamEnd = { inputTokens: 0, outputTokens: 0 };
  readonly #messages: ReturnType<typeof answerMessages>;
  readonly #deps: ModelAnswerDeps;

  constructor(messages: ReturnType<typeof answerMessages>, deps: ModelAnswerDeps) {
    this.#messages = messages;
    this.#deps = deps;
  }

  notes({ brokenOff, leftOut }: Phrases, isLeftOut: boolean): readonly string[] {
    return [...(this.#brokeOff ? [brokenOff] : []), ...(isLeftOut ? [leftOut] : [])];
  }

  async *pieces(): AsyncGenerator<AnswerPiece> {
    const { model, signal, spending, report } = this.#deps;
    const stream = model.stream({ messages: this.#messages, maxTokens: MAX_ANSWER_TOKENS, signal });
    try {
      yield* this.#cut(stream);
    } catch (error) {
      signal.throwIfAborted();
      if (!isOutage(error)) throw error;
      report('the chat model failed', error);
      this.failed = true;
      this.#brokeOff = true;
    } finally {
      await stream.return(this.#usage);
      // A call that failed before its first text is not charged.
      const isPaid = this.#text !== '' || !this.failed;
      if (isPaid) await spending.paid(reportedUsage(this.#usage, this.#messages, this.#text));
    }
  }

  async *#cut(stream: AsyncGenerator<string, StreamEnd>): AsyncGenerator<AnswerPiece> {
    const pieces = new AnswerPieces();
    for (let count = 0; ; ) {
      const { value, done } = await stream.next();
      if (done) this.#usage = value;
      else this.#text += value;
      this.isRefusal = REFUSAL.test(this.#text);
      this.#brokeOff = done === true && value.isCut === true;
      // Drops an incomplete last sentence: it may say the opposite of the whole.
      if (this.#brokeOff) return;
      const complete = done ? pieces.end() : pieces.add(value);
      for (const piece of this.isRefusal ? [] : complete) {
        if (++count > MAX_PIECES) return;
        yield piece;
      }
      if (done) return;
    }
  }
}
