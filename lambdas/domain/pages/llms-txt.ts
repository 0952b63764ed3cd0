import { collapsed, escapedInline } from '../../text/markdown/escape-markdown.ts';
import { linkTarget } from '../../text/markdown/link-target.ts';
import { titleFromAddress } from '../../text/metadata/title-from-blocks.ts';
import { cut } from '../../text/words/folding.ts';
import type { TableReader } from '../ports/table.ts';
import { shownUrl } from '../search/results/shown-url.ts';
import type { SiteRecord } from '../sites/site.ts';
import { type RegisteredPage, registeredPages } from './page-registry.ts';

/** The most pages, and the most characters of their lines. */
const [MAX_PAGES, MAX_LENGTH] = [2_000, 500_000] as const;
const AT_ONCE = 1_000;
/** The most characters of a summary. */
const MAX_SUMMARY = 300;
/** The section of pages right below the root. */
const ROOT = 'Pages';

/**
 * Lists a site's pages by address, with their titles and summaries, in a section for each first part of the path
 * (llmstxt.org). The last line says how many pages are left out.
 */
export async function llmsTxt(site: SiteRecord, table: TableReader): Promise<string> {
  const { name, description, siteId, baseUrl } = site.settings;
  const { rows, isWhole } = await firstRows(site, table);
  const pages = rows.filter(({ removing }) => !removing);
  const lines = fitting(pages.flatMap((page) => lineOf(page, site) ?? []));
  const left = Math.max(isWhole ? pages.length : site.state.pageCount, pages.length) - lines.length;
  const parts = [
    `# ${plain(name)}`,
    `> ${plain(description ?? `The pages of ${new URL(baseUrl).host}`)}`,
    `Each page as Markdown: \`/v1/public/sites/${siteId}/page?url=ADDRESS\` with the header \`Accept: text/markdown\`.`,
    ...[...Map.groupBy(lines, ({ section }) => section)].map(asSection),
    ...(left > 0 ? [`${left} more pages are left out here; searches find them too.`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

const plain = (text: string): string => escapedInline(collapsed(text).trim());

async function firstRows({ settings: { siteId }, state: { generation } }: SiteRecord, table: TableReader) {
  const rows: RegisteredPage[] = [];
  let isWhole = false;
  while (!isWhole && rows.length < MAX_PAGES) {
    const { items, next } = await registeredPages(siteId, generation, { limit: AT_ONCE, after: rows.at(-1) }, table);
    for (const row of items) rows.push(row);
    isWhole = next === undefined || items.length === 0;
  }
  return { rows, isWhole };
}

type Line = { readonly section: string; readonly line: string };

function lineOf(page: RegisteredPage, site: SiteRecord): Line | undefined {
  const url = linkTarget(shownUrl(page.givenUrl ?? page.url, site), page.url);
  if (url === undefined) return undefined;
  const summary = plain(cut(page.summary ?? '', MAX_SUMMARY));
  const line = `- [${plain(page.title) || url}](${url})${summary && `: ${summary}`}`;
  const [, first = '', ...others] = new URL(url).pathname.split('/');
  return { section: others.length > 0 && first !== '' ? first : ROOT, line };
}

/** Returns the first lines, as far as they fit. */
function fitting(lines: readonly Line[]): readonly Line[] {
  let room = MAX_LENGTH;
  const end = lines.findIndex(({ line }) => {
    room -= line.length;
    return room < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

const asSection = ([section, lines]: readonly [string, readonly Line[]]): string =>
  `## ${plain(titleFromAddress(section))}\n\n${lines.map(({ line }) => line).join('\n')}`;
