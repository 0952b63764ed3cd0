import type { Schemas } from '../../api.ts';
import { linesOf, neededNumber, numberIn, textOf } from '../../forms/lines.ts';
import { type Keyed, keyed } from '../../forms/rows-field.tsx';
import type { Site } from './site-section.ts';

export type ScriptsMode = 'false' | 'auto' | 'true';
export type SitemapRow = { readonly url: string; readonly recursive: boolean };

export const crawlDraftOf = ({ crawlerConfig: config }: Site) => ({
  maxPages: String(config.maxPages),
  maxDepth: String(config.maxDepth),
  delayMs: config.delayMs === undefined ? '' : String(config.delayMs),
  respectRobotsTxt: config.respectRobotsTxt,
  javascriptEnabled: String(config.javascriptEnabled) as ScriptsMode,
  includePatterns: textOf(config.includePatterns),
  excludePatterns: textOf(config.excludePatterns),
  singleUrls: textOf(config.singleUrls),
  sitemaps: (config.sitemaps ?? []).map(({ url, recursive = false }) => keyed({ url, recursive })),
  contentSelector: config.contentSelector ?? '',
  excludeSelectors: textOf(config.excludeSelectors),
});
export type CrawlDraft = Omit<ReturnType<typeof crawlDraftOf>, 'sitemaps'> & {
  readonly sitemaps: readonly Keyed<SitemapRow>[];
};

type Changes = Schemas['CrawlerConfigChanges'];
const listOrNull = (text: string) => (linesOf(text).length === 0 ? null : [...linesOf(text)]);

export const crawlBodyOf = (draft: CrawlDraft) => ({
  crawlerConfig: {
    maxPages: neededNumber(draft.maxPages, NaN),
    maxDepth: neededNumber(draft.maxDepth, NaN),
    delayMs: numberIn(draft.delayMs),
    respectRobotsTxt: draft.respectRobotsTxt,
    javascriptEnabled: draft.javascriptEnabled === 'auto' ? ('auto' as const) : draft.javascriptEnabled === 'true',
    includePatterns: [...linesOf(draft.includePatterns)],
    excludePatterns: [...linesOf(draft.excludePatterns)],
    singleUrls: listOrNull(draft.singleUrls),
    sitemaps: draft.sitemaps.length === 0 ? null : draft.sitemaps.map(({ url, recursive }) => ({ url, recursive })),
    contentSelector: draft.contentSelector.trim() || null,
    excludeSelectors: listOrNull(draft.excludeSelectors),
  } satisfies Changes,
});
