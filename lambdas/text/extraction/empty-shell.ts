import { longPattern } from '../long-pattern.ts';
import { type PageContent, plainText } from '../page-content.ts';

/**
 * Maximum text of an empty page, in characters: "Loading …", "Please enable JavaScript", a name and a copyright line.
 */
const FEW_CHARACTERS = 200;
/** Maximum text, in characters, of a page with an empty container for scripts: navigation and footer. */
const MORE_CHARACTERS = 1000;
/** Number of bytes that are searched for scripts and containers. */
const MAX_BYTES_READ = 100_000;

const SCRIPT = /<script[\s>]/i;
/** An element without content that a framework fills. */
const EMPTY_ROOT = longPattern(
  String.raw`
    <(?:div|main|section)\b[^<>]{0,200}
    \bid=["']?(?:root|app|main|application|__next|__nuxt|___gatsby|svelte|q-app)\b
    [^<>]{0,200}>\s{0,100}<\/`,
  'i',
);
/** A custom element without content. */
const EMPTY_CUSTOM = /<[a-z]\w{0,40}-[\w-]{1,40}\b[^<>]{0,200}>\s{0,100}<\//i;

/** Returns whether an HTML page seems to get its text from its scripts. */
export function isEmptyShell(content: PageContent, body: Uint8Array): boolean {
  const { length } = plainText(content);
  if (length >= MORE_CHARACTERS) return false;
  const html = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, MAX_BYTES_READ)).toString('latin1');
  if (!SCRIPT.test(html)) return false;
  return length < FEW_CHARACTERS || EMPTY_ROOT.test(html) || EMPTY_CUSTOM.test(html);
}
