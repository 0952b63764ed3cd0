import type { PageContent } from '../page-content.ts';

/** What a page is called that is not there, in the languages of most websites. It has to be all that the title or heading says. */
const NOT_FOUND = new RegExp(
  `^(?:${[
    '(?:(?:error|http|status|fehler|erreur) )?404(?: (?:error|fehler|erreur|not found|(?:page|file) not found))?',
    "(?:oops\\W{1,4})?(?:the |this )?(?:requested )?(?:page|file|document) (?:(?:was |is )?not found|(?:could not|cannot|couldn't|can't) be found|(?:does not|doesn't) exist)",
    'not found|seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|página não encontrada',
    'pagina non trovata|pagina niet gevonden|strona nie znaleziona|nie znaleziono strony|sidan (?:hittades inte|kunde inte hittas)',
    'siden (?:blev )?ikke funnet|sivua ei löytynyt|страница не найдена|stránka nenalezena|ページが見つかりません.{0,10}|页面(?:未找到|不存在)',
  ].join('|')})[.!]?$`,
  'iu',
);
/** A text about the error says more than that. */
const MOST_CHARACTERS = 1000;
/** Before a site's name, which stands behind in most titles. */
const SEPARATOR = / [-–—|·:»] /;

/** Whether a page that was answered as found says that it is not: such a page is nothing to find. */
export function isSoftNotFound({ title, blocks }: Pick<PageContent, 'title' | 'blocks'>): boolean {
  let characters = 0;
  for (const { text } of blocks) {
    characters += text.length;
    if (characters > MOST_CHARACTERS) return false;
  }
  const heading = blocks.find(({ kind }) => kind === 'heading')?.text ?? '';
  return [...title.split(SEPARATOR), heading].some((name) => NOT_FOUND.test(name.trim().slice(0, 100)));
}
