import type { DatabaseSync } from 'node:sqlite';
import type { PageIndex, TitledPage } from '../../../core/ports/page-index.ts';
import type { IndexCache } from './index-cache.ts';
import type { PageFacts } from './page-facts.ts';
import type { PartitionIndex } from './partition-index.ts';
import type { PartitionRows } from './partition-rows.ts';

type Found = { readonly siteId: string; readonly page: PageFacts };

/** Finds pages by the words of their titles in memory, and reads the titles of those alone. */
export function titleFinder(
  database: DatabaseSync,
  partitions: PartitionRows,
  cache: IndexCache,
): (query: Parameters<PageIndex['titled']>[0]) => readonly TitledPage[] {
  const selectTitle = database.prepare('SELECT title FROM index_page WHERE id = ?');
  return ({ scopes, words, limit }) => {
    if (words.length === 0) return [];
    const found = partitions.findAll(scopes).flatMap((partition, i): readonly Found[] => {
      const siteId = scopes[i]?.siteId ?? '';
      return partition ? pagesWithAll(words, cache.indexOf(partition)).map((page) => ({ siteId, page })) : [];
    });
    return shortest(found, limit).map(({ siteId, page: { id, url } }) => ({
      ...{ siteId, url },
      title: String(selectTitle.get(id)?.title ?? ''),
    }));
  };
}

/** Many pages can have a frequent word, so only those with short titles are sorted. */
function shortest(found: readonly Found[], limit: number): readonly Found[] {
  const byLength = Map.groupBy(found, ({ page }) => page.titleLength);
  const best: Found[] = [];
  for (const length of [...byLength.keys()].sort((a, b) => a - b)) {
    const same = byLength.get(length) ?? [];
    best.push(...same.sort((a, b) => (a.page.url < b.page.url ? -1 : 1)).slice(0, limit - best.length));
    if (best.length >= limit) break;
  }
  return best;
}

function pagesWithAll(words: readonly (readonly string[])[], { lexicon, pages }: PartitionIndex): readonly PageFacts[] {
  /** By page: the number of words that it has, counted up to the first one that it lacks. */
  const matched = new Uint8Array(pages.size);
  const found: PageFacts[] = [];
  for (const [word, terms] of words.entries()) {
    const ids = terms.flatMap((term) => lexicon.idOf(term) ?? []);
    for (const page of ids.flatMap((id) => pages.titlesWith(id))) {
      if (matched[page] !== word || pages.live.numbers[page] !== 1) continue;
      matched[page] = word + 1;
      if (word === words.length - 1) found.push(pages.facts[page] as PageFacts);
    }
  }
  return found;
}
