import type { PageContent } from '../page-content.ts';

/** Titles and headings of error pages in the languages of most websites; the whole title must match. */
const NOT_FOUND = new RegExp(
  `^(?:${[
    '(?:(?:error|http|status|fehler|erreur) )?404(?: (?:error|fehler|erreur|not found|(?:page|file) not found))?',
    '(?:oops\\W{1,4})?(?:the |this )?(?:requested )?(?:page|file|document) ' +
      "(?:(?:was |is )?not found|(?:could not|cannot|couldn't|can't) be found|(?:does not|doesn't) exist)",
    'not found',
    'seite (?:wurde )?nicht gefunden',
    'page (?:introuvable|non trouvée)',
    'página no encontrada',
    'página não encontrada',
    'pagina non trovata',
    'pagina niet gevonden',
    'strona nie znaleziona|nie znaleziono strony',
    'sidan (?:hittades inte|kunde inte hittas)',
    'siden (?:blev )?ikke funnet',
    'sivua ei löytynyt',
    'страница не найдена',
    'stránka nenalezena',
    'ページが見つかりません.{0,10}',
    '页面(?:未找到|不存在)',
  ].join('|')})[.!]?$`,
  'iu',
);
/** A longer page is an article about the error. */
const MAX_CHARACTERS = 1000;
const SEPARATOR = / [-–—|·:»] /;

/** Returns whether a page's text says "not found" although the server answers with status 200. */
export function isSoftNotFound({ title, blocks }: Pick<PageContent, 'title' | 'blocks'>): boolean {
  let characters = 0;
  for (const { text } of blocks) {
    characters += text.length;
    if (characters > MAX_CHARACTERS) return false;
  }
  const heading = blocks.find(({ kind }) => kind === 'heading')?.text ?? '';
  return [...title.split(SEPARATOR), heading].some((name) => NOT_FOUND.test(name.trim().slice(0, 100)));
}
