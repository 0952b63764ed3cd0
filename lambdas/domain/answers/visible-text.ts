import { longPattern } from '../../text/long-pattern.ts';

/**
 * Invisible and reordering characters: controls, zero-width characters, direction overrides, tags, lone surrogates.
 * Excludes joiners where a script or an emoji needs them.
 */
const UNSEEN = longPattern(
  String.raw`
    (?!\n|\t|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]
    |(?<=[ -~])(?:\u200c|\u200d)`,
  'gu',
);

/** Removes characters that readers do not see. */
export const visibleText = (text: string): string => text.replace(UNSEEN, '');
