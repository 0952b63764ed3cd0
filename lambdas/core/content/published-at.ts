import type { HtmlTree } from './html-tree.ts';
import type { PageHead } from './page-head.ts';

/** The name that publishing tools agree on; embedded data comes after it, the other names after that. */
const FIRST_META = 'article:published_time';
const OTHER_META = [
  'datepublished',
  'og:published_time',
  'article:published',
  'published_time',
  'publish-date',
  'publish_date',
  'publishdate',
  'pubdate',
  'publication_date',
  'parsely-pub-date',
  'sailthru.date',
  'citation_publication_date',
  'dcterms.created',
  'dcterms.issued',
  'dc.date.issued',
  'dc.date',
  'dcterms.date',
  'date',
  'article:post_date',
];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ISO =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]{1,2}(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?(?!\d)/i;
const DAY_FIRST = /(?:^|[ ,])(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})(?!\d)/i;
const MONTH_FIRST = /(?:^|[ ,])([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/i;
/** How many nodes after the top heading a byline may be. */
const BYLINE_NODES = 80;
const MAX_BYLINE = 80;
const BYLINE = /^(?!.*(?:updated|modified|edited|reviewed|joined|event)).*\b(?:19|20)\d\d\b/is;
const IN_PATH = /\/(\d{4})[/-](\d{2})[/-](\d{2})(?:[/-]|$)/;

/** ISO 8601 of a date as people and programs write it: a date and time only where the offset is known; undefined if it is none. */
export function parseDate(text: string): string | undefined {
  const value = text.trim().slice(0, 60);
  const iso = ISO.exec(value);
  if (iso !== null) return fromIso(iso);
  const dayFirst = DAY_FIRST.exec(value);
  if (dayFirst !== null) return calendarDate(dayFirst[3], monthNumber(dayFirst[2]), dayFirst[1]);
  const monthFirst = MONTH_FIRST.exec(value);
  if (monthFirst !== null) return calendarDate(monthFirst[3], monthNumber(monthFirst[1]), monthFirst[2]);
  return undefined;
}

/** When the page says it was published: its metadata first, then a marked `time`, a byline, its address. */
export function publishedAt(tree: HtmlTree, head: PageHead, pageUrl: string): string | undefined {
  const { meta, jsonLd } = head;
  const candidates = [
    ...(meta.get(FIRST_META) ?? []),
    ...jsonLd.flatMap((item) => item.get('datePublished') ?? item.get('uploadDate') ?? []),
    ...OTHER_META.flatMap((name) => meta.get(name) ?? []),
    ...markedTimes(tree),
    ...bylines(tree),
  ];
  for (const candidate of candidates) {
    const date = parseDate(candidate);
    if (date !== undefined) return date;
  }
  const path = IN_PATH.exec(pageUrl);
  return path === null ? undefined : calendarDate(path[1], Number(path[2]), path[3]);
}

function markedTimes(tree: HtmlTree): readonly string[] {
  const published: string[] = [];
  for (const { name, attributes } of tree) {
    const { datetime } = attributes;
    if (name !== 'time' || datetime === undefined) continue;
    const says = `${attributes.itemprop ?? ''} ${attributes.class ?? ''}`.toLowerCase();
    if (/publish|pubdate|entry-date|post-date/.test(says)) published.push(datetime);
  }
  return published;
}

/** Short texts soon after the first top heading, and `time` elements there: where a byline stands. */
function bylines(tree: HtmlTree): readonly string[] {
  const start = tree.findIndex(({ name }) => name === 'h1');
  if (start < 0) return [];
  const texts: string[] = [];
  for (const { name, text, attributes } of tree.slice(start, start + BYLINE_NODES)) {
    if (name === 'time' && attributes.datetime !== undefined) texts.push(attributes.datetime);
    else if (name === '' && text.length <= MAX_BYLINE && BYLINE.test(text)) texts.push(text.replace(/\s+/g, ' '));
  }
  return texts;
}

function fromIso(match: RegExpExecArray): string | undefined {
  const [, year, month, day, hour, minute, second = '00', offset] = match;
  const date = calendarDate(year, Number(month), day);
  if (date === undefined || hour === undefined || minute === undefined || offset === undefined) return date;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return date;
  const zone = /^[+-]/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(-2)}` : 'Z';
  return `${date}T${hour}:${minute}:${second}${zone}`;
}

function monthNumber(name = ''): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function calendarDate(year = '', month: number, day = ''): string | undefined {
  const date = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  const isReal = month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  return isReal && Number(year) >= 1990 && Number(year) < 2100 ? date.toISOString().slice(0, 10) : undefined;
}
