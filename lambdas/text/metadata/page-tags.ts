import type { Block } from '../page-content.ts';
import { fold } from '../words/folding.ts';
import { isQuestionWord } from '../words/question-words.ts';
import { keyPhrases } from './key-phrases.ts';
import { oneLine, type PageHead } from './page-head.ts';

const MAX_TAGS = 20;
const MAX_TAG = 60;

export type TagSource = {
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly language: string | undefined;
};

/** Returns the page's keywords in order, without duplicates; key phrases if the page has none. */
export function pageTags({ meta, jsonLd }: PageHead, source: TagSource): readonly string[] {
  const lists = [
    ...(meta.get('article:tag') ?? []),
    ...(meta.get('keywords') ?? []),
    ...jsonLd.flatMap((item) => item.get('keywords') ?? []),
  ];
  const tags = new Map<string, string>();
  for (const tag of lists.flatMap((list) => list.split(/[,;]/))) {
    const text = oneLine(tag);
    const key = text.toLowerCase();
    const isTag = text !== '' && text.length <= MAX_TAG && !isQuestionWord(fold(key), [source.language ?? 'en']);
    if (isTag && !tags.has(key) && tags.size < MAX_TAGS) tags.set(key, text);
  }
  return tags.size > 0 ? [...tags.values()] : extractedTags(source);
}

/** Returns no tags if the language is unknown, because its stop words are unknown too. */
export function extractedTags({ title, blocks, language }: TagSource): readonly string[] {
  return language === undefined ? [] : keyPhrases(title, blocks, language);
}
