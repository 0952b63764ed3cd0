import { tableReader } from '#adapters/table';
import { readSite } from '../../lambdas/domain/sites/site.ts';
import { env } from '../../lambdas/env.ts';
import type { ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { escapeHtml } from './demo-shell.ts';
import type { StaticPage } from './static-pages.ts';

/*
 * OpenSearch 1.1 descriptions, with which browsers search the page or a public site from their address bar. Browsers
 * request suggestions without an origin, so only a site that admits every origin returns some.
 */

/** The longest `ShortName` that the format allows. */
const MAX_SHORT_NAME = 16;
const MAX_LONG_NAME = 48;

const DESCRIPTION = /^\/opensearch\/([0-9a-f-]{36})\.xml$/;
const SUGGESTIONS = /^\/opensearch\/([0-9a-f-]{36})\/suggest$/;

/** Returns the description of the search page, or of a site that visitors may search. */
export async function openSearchDescription(path: string, host: string): Promise<StaticPage | undefined> {
  const root = env.PUBLIC_URL === undefined ? `http://${host}` : new URL(env.PUBLIC_URL).origin;
  if (path === '/opensearch.xml') return description('Site search', [htmlUrl(`${root}/?q={searchTerms}`)], root);
  const siteId = DESCRIPTION.exec(path)?.[1];
  const settings = siteId === undefined ? undefined : (await readSite(siteId, tableReader))?.settings;
  if (!settings?.publicAccess.enabled || !settings.publicAccess.searchEnabled) return undefined;
  const suggestions = `${root}/opensearch/${siteId}/suggest?q={searchTerms}`;
  const urls = [
    htmlUrl(`${root}/?site=${siteId}&q={searchTerms}`),
    url('application/x-suggestions+json', suggestions),
    url('application/json', `${root}/v1/public/sites/${siteId}/search?q={searchTerms}`),
  ];
  return description(settings.name, urls, root);
}

const url = (type: string, template: string): string => `<Url type="${type}" template="${escapeHtml(template)}"/>`;
const htmlUrl = (template: string): string => url('text/html', template);

function description(name: string, urls: readonly string[], root: string): StaticPage {
  const element = (tag: string, text: string, most: number): string =>
    `<${tag}>${escapeHtml([...text].slice(0, most).join(''))}</${tag}>`;
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
${element('ShortName', name, MAX_SHORT_NAME)}
${element('LongName', name, MAX_LONG_NAME)}
${element('Description', `Search ${name}`, 200)}
<InputEncoding>UTF-8</InputEncoding>
<Image width="32" height="32" type="image/x-icon">${escapeHtml(`${root}/favicon.ico`)}</Image>
${urls.join('\n')}
</OpenSearchDescription>
`;
  return { contentType: 'application/opensearchdescription+xml; charset=utf-8', body };
}

/** Returns the API's path for the suggestions that a browser requests. */
export function suggestPath(path: string): string | undefined {
  const siteId = SUGGESTIONS.exec(path)?.[1];
  return siteId && `/v1/public/sites/${siteId}/suggest`;
}

/**
 * Converts an answer of the API to the form of OpenSearch: the text, and lists of suggestions, descriptions and
 * addresses.
 */
export function asBrowserSuggestions(answer: ApiResponse, text: string): ApiResponse {
  if (answer.statusCode !== 200) return answer;
  const { suggestions } = JSON.parse(answer.body) as { suggestions: readonly { text: string; url?: string }[] };
  const columns = [
    suggestions.map((one) => one.text),
    suggestions.map(() => ''),
    suggestions.map((one) => one.url ?? ''),
  ];
  return {
    ...answer,
    headers: { ...answer.headers, 'Content-Type': 'application/x-suggestions+json; charset=utf-8' },
    body: JSON.stringify([text, ...columns]),
  };
}
