import { kindOf } from './element-kinds.ts';
import { wordSet } from './word-set.ts';

/** A start tag ends the innermost open element named in `ends`, unless a barrier is open inside of that. */
export type ImpliedEnd = { readonly ends: readonly string[]; readonly isBarrier: (name: string) => boolean };

const oneOf = (list: string): ((name: string) => boolean) => {
  const names = wordSet(list);
  return (name) => names.has(name);
};
/** "Has an element in button scope" (13.2.4.2). */
const isButtonScopeEnd = (name: string): boolean =>
  name === 'button' || kindOf(name).isScopeEnd || kindOf(name).isIntegrationPoint;
const isSpecial = (name: string): boolean => kindOf(name).isSpecial;
const isListBarrier = (name: string): boolean =>
  isSpecial(name) && name !== 'address' && name !== 'div' && name !== 'p';

export const HEADINGS: readonly string[] = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const PARAGRAPH: ImpliedEnd = { ends: ['p'], isBarrier: isButtonScopeEnd };
const HEADING: ImpliedEnd = { ends: HEADINGS, isBarrier: () => true };
const ITEM: ImpliedEnd = { ends: ['li'], isBarrier: isListBarrier };
const TERM: ImpliedEnd = { ends: ['dt', 'dd'], isBarrier: isListBarrier };
const CELL: ImpliedEnd = { ends: ['td', 'th', 'caption', 'colgroup'], isBarrier: oneOf('table') };
const ROW: ImpliedEnd = { ends: ['tr'], isBarrier: oneOf('table') };
const ROW_GROUP: ImpliedEnd = { ends: ['thead', 'tbody', 'tfoot'], isBarrier: oneOf('table') };
const TABLE: ImpliedEnd = { ends: ['table'], isBarrier: oneOf('td th caption') };
const OPTION: ImpliedEnd = { ends: ['option'], isBarrier: oneOf('select datalist') };
const OPTION_GROUP: ImpliedEnd = { ends: ['optgroup'], isBarrier: oneOf('select') };
const LINK: ImpliedEnd = { ends: ['a'], isBarrier: isSpecial };
const BUTTON: ImpliedEnd = { ends: ['button'], isBarrier: isButtonScopeEnd };
const HEAD: ImpliedEnd = { ends: ['head'], isBarrier: () => false };

const ENDS_PARAGRAPH =
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header ' +
  'hgroup hr listing main menu nav ol p plaintext pre search section summary ul xmp';

const IMPLIED_ENDS = new Map<string, readonly ImpliedEnd[]>([
  ...ENDS_PARAGRAPH.split(' ').map((name) => [name, [PARAGRAPH]] as const),
  ...HEADINGS.map((name) => [name, [PARAGRAPH, HEADING]] as const),
  ['li', [ITEM, PARAGRAPH]],
  ['dt', [TERM, PARAGRAPH]],
  ['dd', [TERM, PARAGRAPH]],
  ['td', [CELL]],
  ['th', [CELL]],
  ['tr', [CELL, ROW]],
  ...['thead', 'tbody', 'tfoot', 'caption', 'colgroup'].map((name) => [name, [CELL, ROW, ROW_GROUP]] as const),
  ['table', [PARAGRAPH, TABLE]],
  ['option', [OPTION]],
  ['optgroup', [OPTION, OPTION_GROUP]],
  ['a', [LINK]],
  ['button', [BUTTON]],
  ['body', [HEAD]],
]);

const NONE: readonly ImpliedEnd[] = [];

/** Returns the open elements that a start tag ends, in this order (13.1.2.4 and 13.2.6.4). */
export function impliedEnds(name: string): readonly ImpliedEnd[] {
  return IMPLIED_ENDS.get(name) ?? NONE;
}

/** Returns whether an end tag ends any open heading: `</h3>` ends an open `h2` (13.2.6.4.7). */
export const isHeading = oneOf(HEADINGS.join(' '));

const ROW_GROUPS = wordSet('thead tbody tfoot');

/** Returns the missing element between `parent` and a part of a table (13.2.6.4.9 and 13.2.6.4.13). */
export function impliedParent(name: string, parent: string): string | undefined {
  if (parent === 'table' && (name === 'tr' || name === 'td' || name === 'th')) return 'tbody';
  return (name === 'td' || name === 'th') && ROW_GROUPS.has(parent) ? 'tr' : undefined;
}
