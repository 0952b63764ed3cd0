import { detectLanguage } from '../../language/detect-language.ts';
import type { Block } from '../page-content.ts';
import type { PageHead } from './page-head.ts';

const PRIMARY = /^([a-z]{2,3})(?=[-_]|$)/i;
/** So much of a page's text tells its language. */
const ENOUGH = 3_000;
/** What page builders declare when nobody tells them otherwise. */
const COMMON_DEFAULT = 'en';
/** A text in English has a smaller share of letters that English does not use. */
const OTHER_SHARE = 0.005;

/** The primary subtag that a page declares, or that of the language in which it is plainly written. */
export function pageLanguage(head: PageHead, blocks: readonly Block[]): string | undefined {
  const declared = declaredLanguage(head);
  if (declared !== undefined && declared !== COMMON_DEFAULT) return declared;
  const text = startOf(blocks);
  const isEnglish = declared === COMMON_DEFAULT && otherLetters(text) <= OTHER_SHARE * text.length;
  return isEnglish ? declared : (detectLanguage(text) ?? declared);
}

/** The language of a text that declares none. */
export function textLanguage(blocks: readonly Block[]): string | undefined {
  return detectLanguage(startOf(blocks));
}

function declaredLanguage({ htmlLanguage, meta }: PageHead): string | undefined {
  const tags = [htmlLanguage, meta.get('content-language')?.[0] ?? '', meta.get('og:locale')?.[0] ?? ''];
  for (const tag of tags) {
    const primary = PRIMARY.exec(tag.trim())?.[1];
    if (primary !== undefined) return primary.toLowerCase();
  }
  return undefined;
}

/** Counts what is neither ASCII, nor a sign of Latin-1, nor general punctuation. */
function otherLetters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xc0 && (code < 0x2000 || code >= 0x2c00)) count++;
  }
  return count;
}

function startOf(blocks: readonly Block[]): string {
  let text = '';
  for (const block of blocks) {
    if (text.length >= ENOUGH) break;
    if (block.kind !== 'code') text += `${block.text.slice(0, ENOUGH)}\n`;
  }
  return text;
}
