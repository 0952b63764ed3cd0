import { visibleText } from './visible-text.ts';

/** Repetitions are bounded, so that hostile text takes linear time. */
const IMAGE = /!\[([^\][]{0,500})\](?:\([^()\n]{0,2048}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)|\[[^\][\n]{0,200}\])/g;
const LINK =
  /\[([^\][]{1,500})\]\(\s{0,3}<?([^\s()<>]{0,2048}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)>?[^()\n]{0,200}\)/g;
const REFERENCE = /\[([^\][]{1,500})\]\[[^\][\n]{0,200}\]/g;
const DEFINITION = /^ {0,3}\[[^\][\n]{1,200}\]:[^\n]{0,3000}$/gm;
const AUTOLINK = /<((?:[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]{1,100}@)[^\s<>]{0,2048})>/gi;
/** A tag with the backslashes before it. An even number of them does not escape it. */
const TAG = /(?<!\\)(\\*)<(?=[a-z/!?])/gi;
const ADDRESS = /(?:(?:https?|ftp):\/\/|www\.|(?<![\w:/])\/\/(?=[\w-]{1,63}\.))[^\s<>"'`]{0,2048}/gi;
/** A scheme, also inside another address, such as in its query. */
const SCHEME = /(?:(?:https?|ftp):)?\/\/(?:www\.)?|www\./gi;
/** The start of an address that Markdown renderers detect, also in the middle of a word. */
const ADDRESS_START = /(?:https?|ftp):\/\/|www\./gi;
/** The `@` of a mail address. Renderers turn such an address into a `mailto:` link. */
const MAIL_SIGN = /(?<=[^\s@])@(?=[\p{L}\p{N}_-]+\.)/gu;
/** Escapes and entities that may hide an address. Some renderers resolve them before they detect addresses. */
const ESCAPE = /(?<!\\)\\+(?=[:/.@])/g;
const ENTITY = /&(?=(?:#x?[\da-f]{1,7}|colon|sol|period|commat);)/gi;
const DANGEROUS = /\b(javascript|vbscript|data|file):/gi;
/** A private-use character that marks the placeholder of a kept link. */
const MARK = '\ue000';
const KEPT = /\ue000(\d+)\ue000/g;
/** Characters that would turn a kept link into an image or escape it. */
const BEFORE_KEPT = /[!\\](?=\ue000)/g;
const TRAILING = /(?<![.,;:!?)\]*_])[.,;:!?)\]*_]+$/;
/** The characters allowed around an address, so that renderers do not take them for a part of it. */
const [BEFORE, AFTER] = [/^[\s(]?$/, /^[.,:!?]*\)?[.,:!?]*$/];

/**
 * Returns Markdown in which only the URLs of sources are links. Images become their text, other links lose their URL,
 * and tags are escaped. A URL in running text loses its scheme, so that no renderer links it. A mail address becomes
 * `name (at) host`, because renderers link it by its `@` alone.
 */
export function safeMarkdown(text: string, sourceUrls: ReadonlySet<string>): string {
  const kept: string[] = [];
  const keep = (link: string): string => `${MARK}${kept.push(link) - 1}${MARK}`;
  const plain = visibleText(text)
    .replaceAll(MARK, '')
    .replace(ESCAPE, '')
    .replace(ENTITY, '& ')
    .replace(DEFINITION, '')
    .replace(IMAGE, '$1')
    .replace(LINK, (_, label: string, url: string) =>
      sourceUrls.has(url) ? keep(`[${linkLabel(label)}](${url})`) : label,
    )
    .replace(REFERENCE, '$1')
    .replace(AUTOLINK, '$1')
    .replace(ADDRESS, (address, at: number, whole: string) => {
      const around = [whole[at - 1] ?? '', whole[at + address.length] ?? ''] as const;
      return bareAddress(address, around, sourceUrls, keep);
    });
  const safe = escaped(withoutAddresses(plain))
    .replaceAll('](', '] (')
    .replaceAll(']:', '] :')
    .replaceAll('![', '! [')
    .replace(BEFORE_KEPT, '$& ');
  return safe.replace(KEPT, (_, index) => kept[Number(index)] ?? '');
}

/** Returns a code block with a fence longer than any in the code. Only the URLs of sources keep their scheme. */
export function codeBlock(code: string, sourceUrls: ReadonlySet<string>): string {
  const plain = visibleText(code).replace(ADDRESS, (address, at: number, whole: string) => {
    const around = [whole[at - 1] ?? '', whole[at + address.length] ?? ''] as const;
    return bareAddress(address, around, sourceUrls, (url) => url);
  });
  const ticks = plain.match(/`{3,}/g)?.map(({ length }) => length) ?? [];
  const fence = '`'.repeat(Math.max(2, ...ticks) + 1);
  return `${fence}\n${plain}\n${fence}`;
}

/** Returns the label in one line, without characters that could end or escape the link. */
const linkLabel = (label: string): string =>
  escaped(withoutAddresses(label.replace(/\s+/g, ' ').replace(/[\\`]/g, '')));

const escaped = (text: string): string =>
  text
    .replace(TAG, (_, slashes: string) => `${slashes}${slashes.length % 2 === 0 ? '\\' : ''}<`)
    .replace(DANGEROUS, '$1 :');

/** Removes starts of addresses until none is left: a removal can form a new one. Ends, since the text gets shorter. */
function withoutAddresses(text: string): string {
  for (let left = text; ; ) {
    const shorter = left.replace(ADDRESS_START, '');
    if (shorter === left) return left.replace(MAIL_SIGN, ' (at) ');
    left = shorter;
  }
}

function bareAddress(
  address: string,
  [before, after]: readonly [string, string],
  sourceUrls: ReadonlySet<string>,
  keep: (link: string) => string,
): string {
  const end = TRAILING.exec(address)?.[0] ?? '';
  const url = address.slice(0, address.length - end.length);
  const isWhole = BEFORE.test(before) && AFTER.test(end) && after.trim() === '';
  return isWhole && sourceUrls.has(url) ? keep(url) + end : address.replace(SCHEME, '');
}
