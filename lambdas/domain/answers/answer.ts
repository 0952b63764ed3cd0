import type { Report } from '../errors.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Key, Table } from '../ports/table.ts';
import type { Filters } from '../search/page-filters.ts';
import type { SearchDeps } from '../search/search-pages.ts';
import type { ChatScope } from './chat-scope.ts';
import { extractiveAnswer } from './extractive-answer.ts';
import { type ModelAnswer, modelAnswer } from './model-answer.ts';
import { type Phrases, refusalText } from './phrases.ts';
import { answerKey, type RememberedAnswer, readAnswer, rememberAnswer } from './remembered-answers.ts';
import { safeMarkdown } from './safe-markdown.ts';
import type { Turn } from './session.ts';
import { type Source, weakTitles } from './sources.ts';
import type { Spending } from './spending.ts';

/** A later `sources` event replaces an earlier one. The `token` texts, joined, are the answer. */
export type ChatEvent =
  | { readonly type: 'sources'; readonly sources: readonly Source[] }
  | { readonly type: 'token'; readonly text: string };

export type ChatDeps = SearchDeps & {
  readonly table: Table;
  /** Absent without a provider. */
  readonly model: ChatModel | undefined;
  readonly comparer: Embedder;
  /** Session ids and boundaries are random, with at least 128 bits. */
  readonly newSessionId: () => string;
  readonly newBoundary: () => string;
  readonly report: Report;
  /** Aborted when the visitor no longer waits for the answer. */
  readonly signal: AbortSignal;
};

export type Asked = {
  readonly question: string;
  /** The question, rewritten or merged so that it is understood without the session. */
  readonly query: string;
  readonly filters: Filters | undefined;
  readonly turns: readonly Turn[];
  readonly languages: readonly string[];
  readonly phrases: Phrases;
  readonly sources: readonly Source[];
  readonly refers: boolean;
};

export type AnswerEnd = {
  readonly answer: string;
  readonly sources: readonly Source[];
  readonly refused: boolean;
  readonly model: string | undefined;
  /** The provider failed. */
  readonly failed: boolean;
};

type AnswerDeps = ChatDeps & { readonly spending: Spending };
type Answering = AsyncGenerator<ChatEvent, AnswerEnd>;

/** Answers by the model or, without one, by quoting the sources. Refuses if there are no sources. */
export async function* answer(scope: ChatScope, asked: Asked, deps: AnswerDeps): Answering {
  if (asked.sources.length === 0) return yield* refusal(scope, asked, false, deps);
  return deps.model ? yield* byModel(scope, asked, deps.model, deps) : yield* quotation(scope, asked, false, deps);
}

async function* refusal(
  scope: ChatScope,
  { query, filters, phrases }: Asked,
  failed: boolean,
  deps: AnswerDeps,
): Answering {
  yield { type: 'sources', sources: [] };
  const titles = await weakTitles(scope, { query, filters }, deps);
  const text = refusalText(
    phrases,
    titles.map((title) => safeMarkdown(title, new Set())),
  );
  yield { type: 'token', text };
  return { answer: text, sources: [], refused: true, model: undefined, failed };
}

/** Quotes the sources. Refuses if they cover the subject but do not answer the question. */
async function* quotation(scope: ChatScope, asked: Asked, failed: boolean, deps: AnswerDeps): Answering {
  const { query, sources, languages, refers } = asked;
  const { bears, ...quoted } = await extractiveAnswer(query, sources, languages, deps.comparer);
  if (!bears && !refers) return yield* refusal(scope, asked, failed, deps);
  yield { type: 'sources', sources: quoted.sources };
  yield { type: 'token', text: quoted.answer };
  return { ...quoted, refused: false, model: undefined, failed };
}

/**
 * Answers by the model. Quotes the sources if no text remains: the provider failed, or no source supports the answer.
 */
async function* byModel(scope: ChatScope, asked: Asked, model: ChatModel, deps: AnswerDeps): Answering {
  const { question, sources, turns } = asked;
  const key = turns.length === 0 ? answerKey(scope, model.model, question, sources) : undefined;
  const known = key && (await readAnswer(key, deps.table));
  yield { type: 'sources', sources };
  const { answer: text, end } = known ? yield* again(known, deps) : yield* written(key, asked, { ...deps, model });
  if (end === 'refused') return yield* refusal(scope, asked, false, deps);
  if (text === '') return yield* quotation(scope, asked, end === 'failed', deps);
  return { answer: text, sources, refused: false, model: model.model, failed: end === 'failed' };
}

async function* again(known: RememberedAnswer, { spending }: AnswerDeps): AsyncGenerator<ChatEvent, ModelAnswer> {
  await spending.saved(known.tokens);
  if (known.answer !== '') yield { type: 'token', text: known.answer };
  return { end: 'whole', ...known };
}

/** Lets the model write the answer and stores it, also if the model found no answer in the sources. */
async function* written(
  key: Key | undefined,
  asked: Asked,
  deps: AnswerDeps & { readonly model: ChatModel },
): AsyncGenerator<ChatEvent, ModelAnswer> {
  const before = deps.spending.tokens;
  const { answer: text, end } = yield* asTokens(modelAnswer({ ...asked, question: asked.query }, deps));
  const tokens = deps.spending.tokens - before;
  if (key && end !== 'failed') await rememberAnswer(key, { answer: text, end, tokens }, deps);
  return { answer: text, end };
}

async function* asTokens<End>(parts: AsyncGenerator<string, End>): AsyncGenerator<ChatEvent, End> {
  try {
    for (;;) {
      const { value, done } = await parts.next();
      if (done) return value;
      yield { type: 'token', text: value };
    }
  } finally {
    await parts.return(undefined as End);
  }
}
