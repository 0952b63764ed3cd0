import { type HtmlTree, textOf } from '../html/tree.ts';
import { parseDate } from './date-text.ts';
import { oneLine } from './page-head.ts';

export type VisibleDate = {
  /** ISO 8601. */
  readonly date: string;
  /** Nodes from the first top heading to this date. */
  readonly distance: number;
  /** The date's element has a class or `itemprop` for a date of publication. */
  readonly isMarked: boolean;
  readonly isTime: boolean;
  /** The date is inside an element with a class or id for a post, a reply or the like. */
  readonly isInPost: boolean;
};

const MAX_TEXT = 80;
const MAX_DATES = 50;
const MIN_TEXT = '1.1.2021'.length;
/** Nodes around the first top heading in which a text can be a byline. */
const BEFORE_HEADING = 15;
const AFTER_HEADING = 200;
/** Up to this distance after the heading, a date counts even in boilerplate. */
const BYLINE_NODES = 120;
/** A date with more characters around it is part of a sentence. */
const MAX_AROUND = 120;
/** A larger element is not a byline; the limit also bounds the work for each of its nodes. */
const MAX_NODES_AROUND = 200;
const SENTENCE = /^(?:\S+ ){8,}\S+\.$/;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
/** Words before or next to a date that is not the date of publication. */
const OTHER_DATE = new RegExp(
  [
    'updated|modified|edited|reviewed|revised|joined',
    'member since|event|last active|expires|aktualisiert',
    'mis à jour|actualizado|aggiornato|bijgewerkt',
  ].join('|'),
  'i',
);
const PUBLISHED_NAME = /publish|pubdate|entry-date|post[_-]?date/i;
const POST_NAME = /(?:^|[\s_-])(?:post|comment|message|reply|thread|topic)/i;
const POST_DEPTH = 8;

/** Returns dates in `time` elements, in short texts around the first top heading, and in elements named as dates. */
export function visibleDates(tree: HtmlTree, dropped: Uint8Array): readonly VisibleDate[] {
  const heading = tree.findIndex(({ name }) => name === 'h1');
  const from = heading < 0 ? Number.POSITIVE_INFINITY : heading;
  const dates: VisibleDate[] = [];
  for (let i = 0; i < tree.length && dates.length < MAX_DATES; i++) {
    const node = tree[i];
    if (node === undefined) break;
    if (node.name !== 'time' && !mayBeDate(node)) continue;
    const found = readDate(tree, i, i - from, dropped[i] === 1);
    if (found === undefined) continue;
    dates.push(found);
    i = node.end - 1;
  }
  return dates;
}

function mayBeDate({ name, text }: HtmlTree[number]): boolean {
  return name === '' && text.length >= MIN_TEXT && text.length <= MAX_AROUND && YEAR.test(text);
}

function readDate(tree: HtmlTree, index: number, distance: number, isDropped: boolean): VisibleDate | undefined {
  const isTime = tree[index]?.name === 'time';
  const holder = isTime ? index : (tree[index]?.parent ?? 0);
  if ((tree[holder]?.end ?? 0) - holder > MAX_NODES_AROUND) return undefined;
  const isMarked = PUBLISHED_NAME.test(namesOf(tree, holder));
  const isByline = distance > 0 && distance <= BYLINE_NODES;
  if (isDropped && !isByline && !(isTime && isMarked)) return undefined;
  const isNear = distance >= -BEFORE_HEADING && distance <= AFTER_HEADING;
  if (!isTime && !isNear && !isMarked) return undefined;
  const date = isTime ? timeDate(tree, index) : textDate(tree, index);
  return date === undefined ? undefined : { date, distance, isMarked, isTime, isInPost: isInPost(tree, index) };
}

function namesOf(tree: HtmlTree, index: number): string {
  const { class: classes, itemprop } = tree[index]?.attributes ?? {};
  return itemprop === undefined ? (classes ?? '') : `${classes ?? ''} ${itemprop}`;
}

function timeDate(tree: HtmlTree, index: number): string | undefined {
  const shown = textOf(tree, index, MAX_TEXT);
  if (OTHER_DATE.test(shown) || OTHER_DATE.test(textBefore(tree, index))) return undefined;
  return parseDate(tree[index]?.attributes.datetime ?? shown.replace(/\s+/g, ' '));
}

function textDate(tree: HtmlTree, index: number): string | undefined {
  const text = tree[index]?.text ?? '';
  if (text.trim().length > MAX_TEXT) return undefined;
  const around = oneLine(textOf(tree, tree[index]?.parent ?? 0, 2 * MAX_AROUND));
  if (around.length > MAX_AROUND || SENTENCE.test(around)) return undefined;
  if (OTHER_DATE.test(text) || OTHER_DATE.test(textBefore(tree, index))) return undefined;
  return parseDate(oneLine(text));
}

/** Returns the text right before a node, which can tell what a date means. */
function textBefore(tree: HtmlTree, index: number): string {
  for (let i = index - 1; i >= 0 && i > index - 6; i--) {
    const text = tree[i]?.text.trim();
    if (text) return text.length > MAX_TEXT ? '' : text;
  }
  return '';
}

function isInPost(tree: HtmlTree, index: number): boolean {
  let ancestor = index;
  for (let depth = 0; depth < POST_DEPTH && ancestor > 0; depth++) {
    const { attributes, parent } = tree[ancestor] ?? { parent: 0 };
    if (attributes && POST_NAME.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`)) return true;
    ancestor = parent;
  }
  return false;
}
