import { visibleText } from './visible-text.ts';

/** Bounded repetitions, so that hostile text costs linear time. */
const IMAGE = /!\[([^\][]{0,500})\](?:\([^()\n]{0,2048}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)|\[[^\][\n]{0,200}\])/g;
const LINK =
  /\[([^\][]{1,500})\]\(\s{0,3}<?([^\s()<>]{0,2048}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)>?[^()\n]{0,200}\)/g;
const REFERENCE = /\[([^\][]{1,500})\]\[[^\][\n]{0,200}\]/g;
const DEFINITION = /^ {0,3}\[[^\][\n]{1,200}\]:[^\n]{0,3000}$/gm;
const AUTOLINK = /<((?:[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]{1,100}@)[^\s<>]{0,2048})>/gi;
/** With the backslashes before it: an even number of them would not escape it. */
const TAG = /(?<!\\)(\\*)<(?=[a-z/!?])/gi;
const ADDRESS = /(?:(?:https?|ftp):\/\/|www\.|(?<![\w:/])\/\/(?=[\w-]{1,63}\.))[^\s<>"'`]{0,2048}/gi;
/** Found inside of an address too, as in the query of another. */
const SCHEME = /(?:(?:https?|ftp):)?\/\/(?:www\.)?|www\./gi;
/** Where readers find an address, also in the middle of a word. */
const ADDRESS_START = /(?:https?|ftp):\/\/|www\./gi;
/** The sign of a mail address, which readers make a `mailto:` link of. */
const MAIL_SIGN = /(?<=[^\s@])@(?=[\p{L}\p{N}_-]+\.)/gu;
/** Some readers look for addresses after they have resolved escapes and entities. */
const ESCAPE = /(?<!\\)\\+(?=[:/.@])/g;
const ENTITY = /&(?=(?:#x?[\da-f]{1,7}|colon|sol|period|commat);)/gi;
const DANGEROUS = /\b(javascript|vbscript|data|file):/gi;
/** A private-use character, which stands for a link that is kept. */
const MARK = '\ue000';
const KEPT = /\ue000(\d+)\ue000/g;
/** Would make an image or no link of it. */
const BEFORE_KEPT = /[!\\](?=\ue000)/g;
const TRAILING = /(?<![.,;:!?)\]*_])[.,;:!?)\]*_]+$/;
/** Around an address of which readers take no other character for a part. */
const [BEFORE, AFTER] = [/^[\s(]?$/, /^[.,:!?]*\)?[.,:!?]*$/];

/**
 * Markdown in which only addresses of sources are links: images become their text, other links lose their address, tags
 * are escaped, and an address in running text loses its scheme, so that no reader turns it into a link. A mail address
 * is written `name (at) host`, because readers link it by its sign alone.
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

/** Code as a block that nothing inside of it ends. Only addresses of sources keep their scheme. */
export function codeBlock(code: string, sourceUrls: ReadonlySet<string>): string {
  const plain = visibleText(code).replace(ADDRESS, (address, at: number, whole: string) => {
    const around = [whole[at - 1] ?? '', whole[at + address.length] ?? ''] as const;
    return bareAddress(address, around, sourceUrls, (url) => url);
  });
  const ticks = plain.match(/`{3,}/g)?.map(({ length }) => length) ?? [];
  const fence = '`'.repeat(Math.max(2, ...ticks) + 1);
  return `${fence}\n${plain}\n${fence}`;
}

/** In one paragraph, and without what could end the link inside of it. */
const linkLabel = (label: string): string =>
  escaped(withoutAddresses(label.replace(/\s+/g, ' ').replace(/[\\`]/g, '')));

const escaped = (text: string): string =>
  text
    .replace(TAG, (_, slashes: string) => `${slashes}${slashes.length % 2 === 0 ? '\\' : ''}<`)
    .replace(DANGEROUS, '$1 :');

/** What is removed may leave another start of an address behind. Each removal makes the text shorter, so it ends. */
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
