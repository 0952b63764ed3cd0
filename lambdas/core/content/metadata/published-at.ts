import type { HtmlTree } from '../html/tree.ts';
import { calendarDate, parseDate } from './date-text.ts';
import type { PageHead } from './page-head.ts';
import { type VisibleDate, visibleDates } from './visible-dates.ts';

const OTHER_META = [
  'og:published_time',
  'article:published',
  'published_time',
  'publish-date',
  'publish_date',
  'publishdate',
  'pubdate',
  'publication_date',
  'parsely-pub-date',
  'citation_publication_date',
  'dcterms.created',
  'dcterms.issued',
  'dc.date.issued',
  'dcterms.date',
  'article:post_date',
];
/** `date`, `dc.date`, `sailthru.date` and the like. */
const NAMED_DATE = /^(?:[a-z]{1,20}[.:])?date$/;
/** Types of things that are published on a day; a manual's pages are dated when the site is built. */
const DATED_TYPE = /(?<!Tech)Article$|Posting$|Report$|Recipe$|Review$|^(?:Question|QAPage|Blog|ScholarlyArticle)$/;
/** A page of these types lists or sells things. */
const UNDATED_TYPE = /^(?:ItemPage|CollectionPage|SearchResultsPage|ProfilePage)$/;
const IN_PATH = /\/(\d{4})[/-](\d{2})[/-](\d{2})(?:[/-]|$)/;
/** How far from the heading a date is a byline's, in nodes. */
const BYLINE_NODES = 120;
/** So far behind the heading the first entries of a list are. */
const LISTING_NODES = 200;
const MAX_ENTRIES = 5;

/**
 * When the page says it was published: by its metadata where the page is of a kind that is dated, else by what it
 * shows, else by its address.
 */
export function publishedAt(tree: HtmlTree, dropped: Uint8Array, head: PageHead, address: string): string | undefined {
  const visible = visibleDates(tree, dropped);
  const declared = declaredDate(head, visible);
  if (declared !== undefined) return isContradicted(declared, visible, address) ? undefined : inZone(declared, visible);
  return shownDate(visible) ?? pathDate(address);
}

function declaredDate(head: PageHead, visible: readonly VisibleDate[]): string | undefined {
  const types = head.jsonLd.flatMap((item) => item.get('@type') ?? []);
  const ofPage = head.meta.get('og:type')?.[0] ?? '';
  if (types.some((type) => UNDATED_TYPE.test(type)) || ofPage.startsWith('product')) return undefined;
  return articleDate(head.meta, ofPage, visible) ?? embeddedDate(head, visible) ?? otherMetaDate(head.meta);
}

function articleDate(meta: PageHead['meta'], ofPage: string, visible: readonly VisibleDate[]): string | undefined {
  const published = meta.get('article:published_time')?.[0] ?? '';
  const date = parseDate(published);
  if (date === undefined || isShown(date, visible)) return date;
  // A page whose times of publication and change are one, and that shows neither, was built then.
  const isBuilt = visible.length === 0 && meta.get('article:modified_time')?.[0] === published;
  return ofPage === 'website' || isBuilt ? undefined : date;
}

function embeddedDate({ meta, jsonLd }: PageHead, visible: readonly VisibleDate[]): string | undefined {
  const inMarkup = parseDate(meta.get('datepublished')?.[0] ?? '');
  if (inMarkup !== undefined && isShown(inMarkup, visible)) return inMarkup;
  for (const item of jsonLd) {
    const date = parseDate(item.get('datePublished')?.[0] ?? '');
    const isDated = item.get('@type')?.some((type) => DATED_TYPE.test(type));
    if (date !== undefined && (isDated || isShown(date, visible))) return date;
  }
  return undefined;
}

function otherMetaDate(meta: PageHead['meta']): string | undefined {
  for (const name of [...OTHER_META, ...[...meta.keys()].filter((key) => NAMED_DATE.test(key))]) {
    const date = parseDate(meta.get(name)?.[0] ?? '');
    if (date !== undefined) return date;
  }
  return undefined;
}

/** True if readers see another date near the heading, and this one nowhere. */
function isContradicted(date: string, visible: readonly VisibleDate[], address: string): boolean {
  const near = visible.filter(({ distance }) => Math.abs(distance) <= BYLINE_NODES);
  return near.length > 0 && !isShown(date, visible) && pathDate(address) === undefined;
}

/** The same moment as a `time` element gives it with its own offset, since its day is the one that readers see. */
function inZone(date: string, visible: readonly VisibleDate[]): string {
  if (!/(?:Z|[+-]00:00)$/.test(date)) return date;
  return visible.find((one) => one.date.includes('T') && Date.parse(one.date) === Date.parse(date))?.date ?? date;
}

function shownDate(visible: readonly VisibleDate[]): string | undefined {
  const marked = visible.filter(({ isMarked, isTime }) => isMarked && isTime);
  const near = visible.filter(({ distance }) => Math.abs(distance) <= BYLINE_NODES);
  for (const dates of [marked, near]) {
    const [first] = dates;
    if (first !== undefined) return isListing(visible) ? undefined : first.date;
  }
  const times = visible.filter(({ isTime }) => isTime);
  if (times[0] !== undefined && new Set(times.map(({ date }) => date.slice(0, 10))).size === 1) return times[0].date;
  return threadStart(visible);
}

/** True for the dates of entries that are listed newest first. */
function isListing(visible: readonly VisibleDate[]): boolean {
  const entries = visible.filter(({ distance }) => distance > -BYLINE_NODES && distance <= LISTING_NODES);
  const days = entries.slice(0, MAX_ENTRIES).map(({ date }) => date.slice(0, 10));
  return days.length >= 3 && days[0] !== days.at(-1) && days.every((day, i) => i === 0 || day <= (days[i - 1] ?? ''));
}

/** The first of several posts that follow one another. */
function threadStart(visible: readonly VisibleDate[]): string | undefined {
  const posts = visible.filter(({ isOfPost, isMarked, isTime }) => isOfPost && (isMarked || isTime));
  const days = posts.slice(0, MAX_ENTRIES).map(({ date }) => date.slice(0, 10));
  const isThread = days.length >= 3 && days.every((day, i) => i === 0 || day >= (days[i - 1] ?? ''));
  return isThread ? posts[0]?.date : undefined;
}

/** True if readers see the date, or one a day apart, as the same moment is in two time zones. */
function isShown(date: string, visible: readonly VisibleDate[]): boolean {
  const day = Date.parse(date.slice(0, 10));
  return visible.some((one) => Math.abs(Date.parse(one.date.slice(0, 10)) - day) <= 86_400_000);
}

function pathDate(address: string): string | undefined {
  const path = IN_PATH.exec(address);
  return path === null ? undefined : calendarDate(path[1], Number(path[2]), path[3]);
}
