import type { ChatDeps } from '../answers/answer.ts';
import { type ChatOutcome, chat } from '../answers/chat.ts';
import { siteScope } from '../answers/chat-scope.ts';
import type { TableReader } from '../ports/table.ts';
import type { SearchDeps } from '../search/search-pages.ts';
import type { SearchRequest } from '../search/search-request.ts';
import { searchSite } from '../search/search-site.ts';
import type { Caller } from '../sites/access/api-key.ts';
import { ownSite, type SiteRecord, type SiteSettings } from '../sites/site.ts';

type UnsavedBoosts = { readonly [List in 'tagBoosts' | 'urlBoosts']?: SiteSettings[List] | undefined };
type PreviewRequest = Omit<SearchRequest, 'offset'> & UnsavedBoosts & { readonly answer: boolean };
type Deps = { readonly table: TableReader; readonly search: SearchDeps; readonly chat: ChatDeps };

/** Searches a site, and answers the query if asked to, as if the boosts were saved. Keeps no session. */
export async function previewSearch(
  siteId: string,
  { tagBoosts, urlBoosts, answer, ...request }: PreviewRequest,
  { orgId }: Pick<Caller, 'orgId'>,
  { table, ...deps }: Deps,
) {
  const site = withBoosts(await ownSite(siteId, orgId, table), { tagBoosts, urlBoosts });
  const [{ response, degraded }, outcome] = await Promise.all([
    searchSite(site, { ...request, offset: 0 }, deps.search),
    answer ? outcomeOf(site, request, deps.chat) : undefined,
  ]);
  return { response, outcome, degraded };
}

function withBoosts({ settings, state }: SiteRecord, { tagBoosts, urlBoosts }: UnsavedBoosts): SiteRecord {
  const { tagBoosts: savedTags, urlBoosts: savedUrls } = settings;
  const boosts = { tagBoosts: tagBoosts ?? savedTags, urlBoosts: urlBoosts ?? savedUrls };
  return { settings: { ...settings, ...boosts }, state };
}

async function outcomeOf(
  site: SiteRecord,
  { query, filters }: Pick<SearchRequest, 'query' | 'filters'>,
  deps: ChatDeps,
): Promise<ChatOutcome> {
  const scope = siteScope(site);
  const publicAccess = { ...scope.publicAccess, anonymousSessions: false };
  const events = chat({ ...scope, publicAccess }, { question: query, filters }, deps);
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}
