import type { PageIndex } from '../core/ports/page-index.ts';
import type { OpenSites } from './open-site.ts';
import type { PageFacts } from './page-facts.ts';
import type { Segment } from './segment.ts';

type Found = { readonly siteId: string; readonly page: PageFacts };

/** Finds the pages with the shortest titles that have all words. */
export function titleFinder(openSites: OpenSites): (query: Parameters<PageIndex['titled']>[0]) => readonly Found[] {
  return ({ scopes, words, limit }) => {
    if (words.length === 0) return [];
    const found = openSites(scopes).flatMap(({ segments }, i): readonly Found[] => {
      const siteId = scopes[i]?.siteId ?? '';
      return segments.flatMap((segment) => pagesWithAll(words, segment)).map((page) => ({ siteId, page }));
    });
    return shortest(found, limit);
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

function pagesWithAll(words: readonly (readonly string[])[], segment: Segment): readonly PageFacts[] {
  /** By page: the number of words that it has, counted up to the first one that it lacks. */
  const matched = new Uint8Array(segment.size);
  const found: PageFacts[] = [];
  for (const [word, terms] of words.entries()) {
    const ids = terms.flatMap((term) => segment.lexicon.idOf(term) ?? []);
    for (const page of ids.flatMap((id) => [...segment.titlesWith(id)])) {
      if (matched[page] !== word || !segment.isLive(page)) continue;
      matched[page] = word + 1;
      if (word === words.length - 1) found.push(segment.factsOf(page));
    }
  }
  return found;
}
