import type { OperationName, resources } from '../routes.ts';
import { analytics } from './examples/analytics.ts';
import { chat } from './examples/chat.ts';
import { content } from './examples/content.ts';
import { crawl } from './examples/crawl.ts';
import type { Example } from './examples/example.ts';
import { groups } from './examples/groups.ts';
import { health } from './examples/health.ts';
import { inspection } from './examples/inspection.ts';
import { keys } from './examples/keys.ts';
import { mcp } from './examples/mcp.ts';
import { pages } from './examples/pages.ts';
import { preview } from './examples/preview.ts';
import { reviews } from './examples/reviews.ts';
import { search } from './examples/search.ts';
import { sites } from './examples/sites.ts';
import { webhooks } from './examples/webhooks.ts';

/** The descriptions of the resources in the OpenAPI document. */
export const tags: Readonly<Record<keyof typeof resources, string>> = {
  sites: 'Websites with their settings, and what state each is in.',
  crawl: 'Crawl jobs, what became of each URL, the saved crawl scope, and the schedule.',
  content: 'Indexed pages: list them, add pages without a crawl, delete them.',
  health: 'What is wrong with a site, worked out after each crawl.',
  inspection: 'Why a URL is found or not, and what a crawl would read at a URL.',
  preview: 'Searches and answers with settings that are not saved.',
  reviews: 'Removals of many pages, which wait until an admin approves or rejects them.',
  webhooks: 'Addresses that are told of the ends of crawls and of reviews, with the last deliveries.',
  groups: 'Sites that are searched together.',
  search: 'Search, facets and suggestions for visitors, and what they opened.',
  pages: 'Pages as Markdown, and the list of them, for visitors and their programs.',
  chat: 'Answers to questions of visitors, with sources.',
  mcp: 'The Model Context Protocol, by which AI agents read sites.',
  analytics: 'What visitors searched, what they did not find, and what models cost.',
  keys: 'API keys, and the organisation with its plan, quotas and use.',
};

/** An example call of each operation, with its answer. */
export const examples: Readonly<Record<OperationName, Example>> = {
  ...sites,
  ...crawl,
  ...content,
  ...health,
  ...inspection,
  ...preview,
  ...reviews,
  ...webhooks,
  ...groups,
  ...search,
  ...pages,
  ...chat,
  ...mcp,
  ...analytics,
  ...keys,
};
