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

/** A later `sources` replaces an earlier one. The tokens together are the answer. */
export type ChatEvent =
  | { readonly type: 'sources'; readonly sources: readonly Source[] }
  | { readonly type: 'token'; readonly text: string };

export type ChatDeps = SearchDeps & {
  readonly table: Table;
  /** Absent without a provider. */
  readonly model: ChatModel | undefined;
  readonly comparer: Embedder;
  /** Both are random, of at least 128 bits. */
  readonly newSessionId: () => string;
  readonly newBoundary: () => string;
  readonly report: Report;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

export type Asked = {
  readonly question: string;
  /** The question as it is understood after those before it. */
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

/** Refuses without sources; else the model answers, or without one the sources are quoted. */
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

/** Refuses if the sources are about the subject and do not have what is asked for. */
async function* quotation(scope: ChatScope, asked: Asked, failed: boolean, deps: AnswerDeps): Answering {
  const { query, sources, languages, refers } = asked;
  const { bears, ...quoted } = await extractiveAnswer(query, sources, languages, deps.comparer);
  if (!bears && !refers) return yield* refusal(scope, asked, failed, deps);
  yield { type: 'sources', sources: quoted.sources };
  yield { type: 'token', text: quoted.answer };
  return { ...quoted, refused: false, model: undefined, failed };
}

/**
 * Quotes the sources if nothing of the model's answer is left, because the provider failed or its answer is made up.
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

/** Writes the answer by a model, and remembers it, also that the sources have no answer. */
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
