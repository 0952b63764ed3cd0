import type { PageHead } from './page-head.ts';

const MAX_TAGS = 20;
const MAX_TAG = 60;

/** The page's own keywords, in order, each once whatever its case. */
export function pageTags({ meta, jsonLd }: PageHead): readonly string[] {
  const lists = [
    ...(meta.get('article:tag') ?? []),
    ...(meta.get('keywords') ?? []),
    ...jsonLd.flatMap((item) => item.get('keywords') ?? []),
  ];
  const tags = new Map<string, string>();
  for (const tag of lists.flatMap((list) => list.split(/[,;]/))) {
    const text = tag.replace(/\s+/g, ' ').trim();
    const key = text.toLowerCase();
    if (text !== '' && text.length <= MAX_TAG && !tags.has(key) && tags.size < MAX_TAGS) tags.set(key, text);
  }
  return [...tags.values()];
}
