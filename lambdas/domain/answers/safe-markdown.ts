import { visibleText } from './visible-text.ts';

/** Bounded repetitions, so that hostile text costs linear time. */
const IMAGE = /!\[([^\][]{0,500})\](?:\([^()\n]{0,2048}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)|\[[^\][\n]{0,200}\])/g;
const LINK =
  /\[([^\][]{1,500})\]\(\s{0,3}<?([^\s()<>]{0,2048}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)>?[^()\n]{0,200}\)/g;
const REFERENCE = /\[([^\][]{1,500})\]\[[^\][\n]{0,200}\]/g;
const DEFINITION = /^ {0,3}\[[^\][\n]{1,200}\]:[^\n]{0,3000}$/gm;
const AUTOLINK = /<((?:[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]{1,100}@)[^\s<>]{0,2048})>/gi;
const TAG = /<(?=[a-z/!?])/gi;
const ADDRESS = /(?:(?:https?|ftp):\/\/|\bwww\.|(?<![\w:/])\/\/(?=[\w-]{1,63}\.))[^\s<>"'`]{0,2048}/gi;
/** Found inside of an address too, as in the query of another. */
const SCHEME = /(?:(?:https?|ftp):)?\/\/(?:www\.)?|\bwww\./gi;
const DANGEROUS = /\b(javascript|vbscript|data|file):/gi;
/** A private-use character, which stands for a link that is kept. */
const MARK = '\ue000';
const KEPT = /\ue000(\d+)\ue000/g;
const TRAILING = /[.,;:!?)\]*_]+$/;

/**
 * Markdown in which only addresses of sources are links: images become their text, other links lose their address, tags
 * are escaped, and an address in running text loses its scheme, so that no reader turns it into a link.
 */
export function safeMarkdown(text: string, sourceUrls: ReadonlySet<string>): string {
  const kept: string[] = [];
  const keep = (link: string): string => `${MARK}${kept.push(link) - 1}${MARK}`;
  const plain = visibleText(text)
    .replaceAll(MARK, '')
    .replace(DEFINITION, '')
    .replace(IMAGE, '$1')
    .replace(LINK, (_, label: string, url: string) =>
      sourceUrls.has(url) ? keep(`[${escaped(label)}](${url})`) : label,
    )
    .replace(REFERENCE, '$1')
    .replace(AUTOLINK, '$1')
    .replace(ADDRESS, (address) => bareAddress(address, sourceUrls, keep));
  const safe = escaped(plain).replaceAll('](', '] (').replaceAll('![', '! [');
  return safe.replace(KEPT, (_, index) => kept[Number(index)] ?? '');
}

const escaped = (text: string): string => text.replace(TAG, '\\<').replace(DANGEROUS, '$1 :');

function bareAddress(address: string, sourceUrls: ReadonlySet<string>, keep: (link: string) => string): string {
  const end = TRAILING.exec(address)?.[0] ?? '';
  const url = address.slice(0, address.length - end.length);
  return sourceUrls.has(url) ? keep(url) + end : address.replace(SCHEME, '');
}
