import { withinEditDistance } from '../language/edit-distance.ts';
import type { QueryTerm } from '../language/query-terms.ts';
import { allowedEdits } from '../language/spelling.ts';
import { termsByPosition } from '../language/terms.ts';

/** Replaces the forms of each unknown query term by the words of `text` within its edit distance, for highlighting. */
export function correctedTerms(
  query: readonly QueryTerm[],
  typos: readonly boolean[],
  { text, language = '' }: { readonly text: string; readonly language?: string },
): readonly QueryTerm[] {
  if (!typos.includes(true)) return query;
  const words = [...new Set(termsByPosition(text, language).flat())];
  return query.map((term, i) =>
    typos[i] === true
      ? { ...term, forms: words.filter((word) => term.forms.some((form) => isNear(form, word))) }
      : term,
  );
}

function isNear(form: string, word: string): boolean {
  const edits = allowedEdits(form);
  return edits > 0 && Math.abs(form.length - word.length) <= edits && withinEditDistance(form, word, edits);
}
