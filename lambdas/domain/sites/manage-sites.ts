import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../text/defined.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { retryWhenOvertaken } from '../optimistic-retry.ts';
import type { Item, Table } from '../ports/table.ts';
import type { Caller } from './access/api-key.ts';
import { organisationKey, readOrganisation } from './access/organisation.ts';
import { QUOTAS, sitesLimit } from './access/plan.ts';
import { assertSettingsFit } from './assert-settings-fit.ts';
import { crawlUrls } from './crawl-urls.ts';
import { mergedFields } from './merge-fields.ts';
import { assertPatternsReach } from './pattern-check.ts';
import { settingsWarnings, type Warnings } from './settings-warnings.ts';
import {
  crawlerConfigOf,
  ownSite,
  type SiteRecord,
  type SiteSettings,
  type SiteState,
  settingsKey,
  sitePointerKey,
  stateKey,
} from './site.ts';
import type { CreateSiteRequest, UpdateSiteRequest } from './site-changes.ts';
import { everySiteKey } from './site-directory.ts';
import { NEW_CRAWLER_CONFIG, NEW_PUBLIC_ACCESS, NEW_REMOVAL_POLICY } from './site-settings.ts';

const NEW_SETTINGS = {
  publicAccess: NEW_PUBLIC_ACCESS,
  rateLimits: {},
  crawlerConfig: NEW_CRAWLER_CONFIG,
  metadataSchema: [],
  tagBoosts: [],
  urlBoosts: [],
  removalPolicy: NEW_REMOVAL_POLICY,
};

export async function createSite(
  request: CreateSiteRequest & Pick<Partial<SiteSettings>, 'privateHost'>,
  { orgId, plan }: Pick<Caller, 'orgId' | 'plan'>,
  { table, clock, newId }: { readonly table: Table; readonly clock: Clock; readonly newId: () => string },
): Promise<SiteRecord & { readonly warnings: Warnings }> {
  const siteId = newId();
  const { privateHost, ...given } = request;
  const fresh: SiteSettings = {
    siteId,
    orgId,
    version: 0,
    name: given.name,
    baseUrl: given.baseUrl,
    createdAt: epochSeconds(clock),
    ...NEW_SETTINGS,
    ...defined({ privateHost }),
  };
  const state: SiteState = { runningJobId: null, settingsVersion: 1, pageCount: 0, revision: 0, generation: 1 };
  const settings = applied({ settings: fresh, state }, given);
  await assertPatternsReach(settings.crawlerConfig, { baseUrl: settings.baseUrl, part: 'body.crawlerConfig' });
  assertSettingsFit(settings);
  const refused = await table.write([
    { update: organisationKey(orgId), add: { sites: 1 }, when: { exists: true, below: { sites: QUOTAS[plan].sites } } },
    { put: { ...settingsKey(siteId), ...settings }, when: { exists: false } },
    { put: { ...stateKey(siteId), ...state } },
    { put: { ...sitePointerKey(orgId, siteId) } },
    { put: { ...everySiteKey(siteId) } },
  ]);
  if (refused.length > 0) throw sitesLimit(plan, (await readOrganisation(orgId, table))?.sites ?? 0);
  const site = { settings, state };
  return { ...site, warnings: await settingsWarnings(given, site) };
}

const ATTEMPTS = 1000;

/** Applies concurrent changes one after the other, so that none is lost. */
export async function updateSite(
  siteId: string,
  changes: UpdateSiteRequest,
  caller: Caller,
  { table }: { readonly table: Table },
): Promise<SiteRecord & { readonly warnings: Warnings }> {
  const scope = changes.baseUrl === undefined ? [] : await crawlUrls(siteId, caller, table);
  const overtaken = 'other requests keep changing the site: try again';
  const { before, site } = await retryWhenOvertaken(ATTEMPTS, overtaken, async () => {
    const current = await ownSite(siteId, caller.orgId, table);
    const settings = applied(current, changes);
    const { version, crawlerConfig } = current.settings;
    const rules = { baseUrl: settings.baseUrl, part: 'body.crawlerConfig', before: crawlerConfig };
    await assertPatternsReach(changes.crawlerConfig ?? {}, rules);
    assertSettingsFit(settings);
    const refused = await table.write([
      { put: { ...settingsKey(siteId), ...settings } as Item, when: { equals: { version } } },
      { update: stateKey(siteId), set: { settingsVersion: settings.version }, when: { exists: true } },
    ]);
    return refused.length === 0 ? { before: current, site: { settings, state: current.state } } : undefined;
  });
  const warnings = await settingsWarnings(changes, site, { scope, baseUrl: before.settings.baseUrl });
  return { ...site, warnings };
}

function applied(site: SiteRecord, changes: UpdateSiteRequest): SiteSettings {
  const { settings } = site;
  const { baseUrl, publicAccess, mcp, rateLimits, crawlerConfig, removalPolicy, ...whole } = changes;
  const version = settings.version + 1;
  return {
    ...mergedFields(settings, whole, {}),
    version,
    ...(baseUrl !== undefined && { baseUrl: new URL(baseUrl).href }),
    publicAccess: mergedFields(settings.publicAccess, publicAccess ?? {}, NEW_PUBLIC_ACCESS),
    mcp: mergedFields(settings.mcp ?? {}, mcp ?? {}, {}),
    rateLimits: mergedFields(settings.rateLimits, rateLimits ?? {}, {}),
    crawlerConfig: mergedFields(settings.crawlerConfig, crawlerConfig ?? {}, NEW_CRAWLER_CONFIG),
    ...(isNewList(crawlerConfig?.singleUrls, site) && { singleUrlsSince: version }),
    removalPolicy: mergedFields(settings.removalPolicy, removalPolicy ?? {}, NEW_REMOVAL_POLICY),
  };
}

/** Returns false for a list that is sent back as it was read, because a running crawl uses that list up. */
function isNewList(singleUrls: readonly string[] | null | undefined, site: SiteRecord): boolean {
  return Boolean(singleUrls) && !isDeepStrictEqual(singleUrls, crawlerConfigOf(site).singleUrls);
}
