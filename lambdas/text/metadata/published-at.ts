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
/** Names such as `date`, `dc.date` and `sailthru.date`. */
const NAMED_DATE = /^(?:[a-z]{1,20}[.:])?date$/;
/** Types of pages that have a date of publication. The date of a manual page is only that of a build. */
const DATED_TYPE = /(?<!Tech)Article$|Posting$|Report$|Recipe$|Review$|^(?:Question|QAPage|Blog|ScholarlyArticle)$/;
const UNDATED_TYPE = /^(?:ItemPage|CollectionPage|SearchResultsPage|ProfilePage)$/;
const IN_PATH = /\/(\d{4})[/-](\d{2})[/-](\d{2})(?:[/-]|$)/;
/** Greatest distance from the heading to the date of a byline, in nodes. */
const BYLINE_NODES = 120;
const LISTING_NODES = 200;
const MAX_ENTRIES = 5;

/**
 * Returns the date in the metadata if pages of this type have dates, else that in the visible text, else that in the
 * address.
 */
export function publishedAt(tree: HtmlTree, dropped: Uint8Array, head: PageHead, address: string): string | undefined {
  const visible = visibleDates(tree, dropped);
  const declared = declaredDate(head, visible);
  if (declared !== undefined)
    return isContradicted(declared, visible, address) ? undefined : inShownZone(declared, visible);
  return shownDate(visible) ?? pathDate(address);
}

function declaredDate(head: PageHead, visible: readonly VisibleDate[]): string | undefined {
  const types = head.jsonLd.flatMap((item) => item.get('@type') ?? []);
  const pageType = head.meta.get('og:type')?.[0] ?? '';
  if (types.some((type) => UNDATED_TYPE.test(type)) || pageType.startsWith('product')) return undefined;
  return articleDate(head.meta, pageType, visible) ?? embeddedDate(head, visible) ?? otherMetaDate(head.meta);
}

function articleDate(meta: PageHead['meta'], pageType: string, visible: readonly VisibleDate[]): string | undefined {
  const published = meta.get('article:published_time')?.[0] ?? '';
  const date = parseDate(published);
  if (date === undefined || isShown(date, visible)) return date;
  // A page built at this moment has equal times of publication and change, and shows neither.
  const isBuilt = visible.length === 0 && meta.get('article:modified_time')?.[0] === published;
  return pageType === 'website' || isBuilt ? undefined : date;
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

/** Returns whether the page shows another date near the heading, and this date nowhere. */
function isContradicted(date: string, visible: readonly VisibleDate[], address: string): boolean {
  const near = visible.filter(({ distance }) => Math.abs(distance) <= BYLINE_NODES);
  return near.length > 0 && !isShown(date, visible) && pathDate(address) === undefined;
}

/** Returns the same moment with the offset of a `time` element, because readers see the day in that zone. */
function inShownZone(date: string, visible: readonly VisibleDate[]): string {
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

/** Returns whether the dates belong to a list of entries, newest first. */
function isListing(visible: readonly VisibleDate[]): boolean {
  const entries = visible.filter(({ distance }) => distance > -BYLINE_NODES && distance <= LISTING_NODES);
  const days = entries.slice(0, MAX_ENTRIES).map(({ date }) => date.slice(0, 10));
  return days.length >= 3 && days[0] !== days.at(-1) && days.every((day, i) => i === 0 || day <= (days[i - 1] ?? ''));
}

/** Returns the date of the first of several posts, oldest first. */
function threadStart(visible: readonly VisibleDate[]): string | undefined {
  const posts = visible.filter(({ isInPost, isMarked, isTime }) => isInPost && (isMarked || isTime));
  const days = posts.slice(0, MAX_ENTRIES).map(({ date }) => date.slice(0, 10));
  const isThread = days.length >= 3 && days.every((day, i) => i === 0 || day >= (days[i - 1] ?? ''));
  return isThread ? posts[0]?.date : undefined;
}

/** Returns whether the page shows this date or an adjacent day, which may be the same moment in another time zone. */
function isShown(date: string, visible: readonly VisibleDate[]): boolean {
  const day = Date.parse(date.slice(0, 10));
  return visible.some((one) => Math.abs(Date.parse(one.date.slice(0, 10)) - day) <= 86_400_000);
}

function pathDate(address: string): string | undefined {
  const path = IN_PATH.exec(address);
  return path === null ? undefined : calendarDate(path[1], Number(path[2]), path[3]);
}
