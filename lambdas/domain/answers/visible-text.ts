import { longPattern } from '../../text/long-pattern.ts';

/**
 * Characters that are not seen, or that turn the order of others around: controls, zero-width characters, overrides of
 * direction, tags, halves of surrogate pairs. Joiners stay where a script or an emoji needs them.
 */
const UNSEEN = longPattern(
  String.raw`
    (?!\n|\t|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]
    |(?<=[ -~])(?:\u200c|\u200d)`,
  'gu',
);

/** The text without characters that readers do not see. */
export const visibleText = (text: string): string => text.replace(UNSEEN, '');
