import { type HtmlTree, textOf } from '../html/tree.ts';
import { parseDate } from './date-text.ts';
import { oneLine } from './page-head.ts';

/** A date that a page shows. */
export type VisibleDate = {
  /** ISO 8601. */
  readonly date: string;
  /** Where its node stands, counted from the first top heading. */
  readonly distance: number;
  /** Named as the date of something that is published. */
  readonly isMarked: boolean;
  readonly isTime: boolean;
  /** Inside what is named as a post, a reply or the like. */
  readonly isOfPost: boolean;
};

const MAX_TEXT = 80;
const MAX_DATES = 50;
/** No date is shorter, as in `1.1.2021`. */
const MIN_TEXT = 8;
/** How far around the first top heading a text may be a byline, in nodes. */
const BEFORE_HEADING = 15;
const AFTER_HEADING = 200;
/** So far behind the heading a date counts even where it looks like boilerplate. */
const BYLINE_NODES = 120;
/** Around a date that stands in more text than this there is a sentence. */
const MAX_AROUND = 120;
/** What holds more nodes is no byline, and would be read for each text or element in it. */
const MAX_NODES_AROUND = 200;
const SENTENCE = /^(?:\S+ ){8,}\S+\.$/;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
/** What is said beside a date that is not of publication, in front of it or in the same text. */
const OTHER_DATE =
  /updated|modified|edited|reviewed|revised|joined|member since|event|last active|expires|aktualisiert|mis à jour|actualizado|aggiornato|bijgewerkt/i;
const PUBLISHED_NAME = /publish|pubdate|entry-date|post[_-]?date/i;
const POST_NAME = /(?:^|[\s_-])(?:post|comment|message|reply|thread|topic)/i;
const POST_DEPTH = 8;

/**
 * The dates in a page's `time` elements, and in short texts around its first top heading and named as dates, in order.
 */
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
  return date === undefined ? undefined : { date, distance, isMarked, isTime, isOfPost: isInPost(tree, index) };
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

/** The end of the text right before a node, which may say what a date is of. */
function textBefore(tree: HtmlTree, index: number): string {
  for (let i = index - 1; i >= 0 && i > index - 6; i--) {
    const text = tree[i]?.text.trim();
    if (text) return text.length > MAX_TEXT ? '' : text;
  }
  return '';
}

function isInPost(tree: HtmlTree, index: number): boolean {
  let at = index;
  for (let depth = 0; depth < POST_DEPTH && at > 0; depth++) {
    const { attributes, parent } = tree[at] ?? { parent: 0 };
    if (attributes && POST_NAME.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`)) return true;
    at = parent;
  }
  return false;
}
