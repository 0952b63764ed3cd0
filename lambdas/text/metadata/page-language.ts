import type { Block } from '../page-content.ts';
import { detectLanguage } from '../words/detect-language.ts';
import type { PageHead } from './page-head.ts';

const PRIMARY = /^([a-z]{2,3})(?=[-_]|$)/i;
/** Characters of text that are enough to detect a language. */
const ENOUGH_TEXT = 3_000;
/** Page builders declare English unless the user changes it. */
const COMMON_DEFAULT = 'en';
/** English text has a smaller share of letters beyond Latin. */
const FOREIGN_SHARE = 0.005;

/**
 * Returns the declared primary subtag, or the detected language if none is declared or if English is wrongly declared.
 */
export function pageLanguage(head: PageHead, blocks: readonly Block[]): string | undefined {
  const declared = declaredLanguage(head);
  if (declared !== undefined && declared !== COMMON_DEFAULT) return declared;
  const text = startOf(blocks);
  const isEnglish = declared === COMMON_DEFAULT && foreignLetters(text) <= FOREIGN_SHARE * text.length;
  return isEnglish ? declared : (detectLanguage(text) ?? declared);
}

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

/** Counts letters outside of ASCII, Latin-1 punctuation and general punctuation. */
function foreignLetters(text: string): number {
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
    if (text.length >= ENOUGH_TEXT) break;
    if (block.kind !== 'code') text += `${block.text.slice(0, ENOUGH_TEXT)}\n`;
  }
  return text;
}
