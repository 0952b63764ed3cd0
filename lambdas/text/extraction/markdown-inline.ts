import { parseHtml } from '../html/parse-html.ts';
import { wordSet } from '../html/word-set.ts';

const LINK = /!?\[([^\][]{0,500})\](?:\([^()]{0,2048}\)|\[[^\][]{0,200}\])/g;
/** An underscore inside a word is not a mark. */
const MARKS = /\*{2,}|~{2}|(?<!\w)_{2,}|_{2,}(?!\w)|(?<=^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s).,;:!?]|$)/g;
/** In order: code, an escape, an entity, a comment, an address in angle brackets, a tag. */
const LITERALS =
  /`+([^`]+)`+|`+|\\([!-/:-@[-`{-~])|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});|<!--(?:[^-]|-(?!->)){0,500}-->|<((?:https?|ftp|mailto):[^\s<>]{1,2048})>|<(\/?)([a-z][a-z\d-]{0,30})((?:\s[^<>]{0,2000}|\/)?)>/gi;
const HAS_SYNTAX = /[`\\&<[*_~]/;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** Private-use characters that replace punctuation until links and marks are read. */
const [FIRST_STAND_IN, STAND_INS] = [0x10ff00, /[\u{10ff21}-\u{10ff7e}]/gu];
const ELEMENTS = wordSet(`
  a abbr address article aside audio b bdi bdo big blockquote body br button canvas caption center cite code col
  colgroup data dd del details dfn div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6
  header hr html i iframe img input ins kbd label legend li main mark menu nav noscript object ol option p param picture
  pre q rp rt ruby s samp script section select small source span strike strong style sub summary sup svg table tbody td
  textarea tfoot th thead time title tr track tt u ul var video wbr
`);
const BREAKS = wordSet('br dd div dt hr li p td th tr');

/**
 * Returns the text of Markdown as rendered: emphasis, code, images and links without their marks, escapes and entities
 * decoded, and no tags. A name in angle brackets that is not an HTML element stays.
 */
export function plainInline(markdown: string): string {
  if (!HAS_SYNTAX.test(markdown)) return markdown;
  const entities = new Map<string, string>();
  const entity = (written: string): string => {
    const known = entities.get(written) ?? decoded(written);
    entities.set(written, known);
    return known;
  };
  const literal = markdown.replace(
    LITERALS,
    (whole, code?: string, escaped?: string, address?: string, slash?: string, name?: string, rest?: string) => {
      if (name !== undefined) return tagText(whole, name, `${slash}${rest}`);
      if (whole.startsWith('&')) return asLiteral(entity(whole));
      return asLiteral(code ?? escaped ?? address ?? '');
    },
  );
  // An image may be the text of a link.
  const linked = literal.replace(LINK, '$1').replace(LINK, '$1').replace(MARKS, '');
  return linked.replace(STAND_INS, (char) => String.fromCharCode((char.codePointAt(0) ?? 0) - FIRST_STAND_IN));
}

function tagText(tag: string, name: string, rest: string): string {
  if (BREAKS.has(name.toLowerCase())) return '\n';
  return ELEMENTS.has(name.toLowerCase()) || /=|^\/|\/$/.test(rest) ? '' : asLiteral(tag);
}

const decoded = (entity: string): string =>
  parseHtml(entity)
    .reduce((text, node) => text + node.text, '')
    .replace('\u00a0', ' ');

const asLiteral = (text: string): string =>
  text.replace(PUNCTUATION, (char) => String.fromCodePoint(FIRST_STAND_IN + char.charCodeAt(0)));
