import { defined } from '../../text/defined.ts';
import { type Block, shownBlocks } from '../../text/page-content.ts';
import { normaliseUrl, urlHash } from '../../text/web/url.ts';
import type { PageStoreReader } from '../ports/page-store.ts';
import type { TableReader } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { readRows } from './page-registry.ts';
import { readStoredPages } from './stored-page.ts';

export type PageMarkdown = {
  readonly url: string;
  readonly title: string;
  readonly markdown: string;
  readonly headings: readonly { readonly level: number; readonly text: string; readonly anchor?: string }[];
  readonly links: readonly string[];
  readonly language?: string;
  readonly publishedAt?: string;
  readonly crawledAt: string;
};

/** Returns an indexed page of a site as Markdown; undefined if the site has no page with this URL. */
export async function readPageMarkdown(
  siteId: string,
  url: string,
  { table, pageStore }: { readonly table: TableReader; readonly pageStore: PageStoreReader },
): Promise<PageMarkdown | undefined> {
  const normalised = normaliseUrl(url) ?? url;
  const state = await table.get<SiteState>(stateKey(siteId));
  if (!state) return undefined;
  const site = { siteId, generation: state.generation };
  const identity = { url: normalised, urlHash: urlHash(normalised) };
  const row = (await readRows(site, [identity], table)).get(identity.urlHash);
  if (!row || row.removing) return undefined;
  const page = (await readStoredPages(site, [row], pageStore)).get(row.urlHash);
  if (!page) return undefined;
  const blocks = shownBlocks(page.blocks);
  return {
    url: row.givenUrl ?? row.url,
    title: row.title,
    markdown: blocks.map(markdownOf).join('\n\n'),
    headings: blocks.flatMap((block) =>
      block.kind === 'heading' ? [{ level: block.level, text: block.text, ...defined({ anchor: block.anchor }) }] : [],
    ),
    links: page.links.map(({ href }) => href),
    ...defined({ language: page.language, publishedAt: row.publishedAt }),
    crawledAt: row.crawledAt,
  };
}

function markdownOf(block: Block): string {
  if (block.kind === 'heading') return `${'#'.repeat(block.level)} ${block.text}`;
  if (block.kind === 'code') return `\`\`\`\n${block.text}\n\`\`\``;
  if (block.kind === 'list') return block.text.replace(/^( *)(?=\S)/gm, '$1- ');
  return block.text;
}
