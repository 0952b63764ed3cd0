import type { Caller } from '../access/api-key.ts';
import { organisationKey } from '../access/organisation.ts';
import { QUOTAS } from '../access/plan.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { AppError } from '../errors.ts';
import { mergedFields } from '../merge-fields.ts';
import { retryWhenOvertaken } from '../optimistic-retry.ts';
import type { Item, Table } from '../ports/table.ts';
import { assertSettingsFit } from './assert-settings-fit.ts';
import { ownSite, type SiteRecord, type SiteSettings, settingsKey, sitePointerKey, stateKey } from './site.ts';
import type { CreateSiteRequest, UpdateSiteRequest } from './site-changes.ts';
import { everySiteKey } from './site-directory.ts';
import { NEW_CRAWLER_CONFIG, NEW_PUBLIC_ACCESS, NEW_REMOVAL_POLICY } from './site-settings.ts';

export async function createSite(
  request: CreateSiteRequest & Pick<Partial<SiteSettings>, 'privateHost'>,
  { orgId, plan }: Pick<Caller, 'orgId' | 'plan'>,
  { table, clock, newId }: { readonly table: Table; readonly clock: Clock; readonly newId: () => string },
): Promise<SiteRecord> {
  const siteId = newId();
  const settings: SiteSettings = {
    siteId,
    orgId,
    version: 1,
    name: request.name,
    baseUrl: new URL(request.baseUrl).href,
    createdAt: epochSeconds(clock),
    publicAccess: NEW_PUBLIC_ACCESS,
    rateLimits: {},
    crawlerConfig: mergedFields(NEW_CRAWLER_CONFIG, request.crawlerConfig ?? {}, NEW_CRAWLER_CONFIG),
    metadataSchema: [],
    tagBoosts: [],
    urlBoosts: [],
    removalPolicy: NEW_REMOVAL_POLICY,
    ...(request.domain !== undefined && { domain: request.domain }),
    ...(request.privateHost !== undefined && { privateHost: request.privateHost }),
  };
  assertSettingsFit(settings);
  const state = { runningJobId: null, pageCount: 0, revision: 0, generation: 1 };
  const quota = QUOTAS[plan].sites;
  const refused = await table.write([
    { update: organisationKey(orgId), add: { sites: 1 }, when: { exists: true, below: { sites: quota } } },
    { put: { ...settingsKey(siteId), ...settings }, when: { exists: false } },
    { put: { ...stateKey(siteId), ...state } },
    { put: { ...sitePointerKey(orgId, siteId) } },
    { put: { ...everySiteKey(siteId) } },
  ]);
  if (refused.length > 0) {
    const holds = quota === 1 ? 'one site' : `${quota} sites`;
    throw new AppError('plan_limit', `The ${plan} plan holds ${holds}: delete one or change the plan`);
  }
  return { settings, state };
}

const ATTEMPTS = 100;

/** Concurrent changes are applied one after the other: none is lost. */
export async function updateSite(
  siteId: string,
  changes: UpdateSiteRequest,
  caller: Caller,
  { table }: { readonly table: Table },
): Promise<void> {
  await retryWhenOvertaken(ATTEMPTS, 'other requests keep changing the site: try again', async () => {
    const { settings } = await ownSite(siteId, caller.orgId, table);
    const next = applied(settings, changes);
    assertSettingsFit(next);
    const refused = await table.write([
      { put: { ...settingsKey(siteId), ...next } as Item, when: { equals: { version: settings.version } } },
    ]);
    return refused.length === 0 ? next : undefined;
  });
}

function applied(settings: SiteSettings, changes: UpdateSiteRequest): SiteSettings {
  const { publicAccess, rateLimits, crawlerConfig, removalPolicy, ...whole } = changes;
  return {
    ...mergedFields(settings, whole, {}),
    version: settings.version + 1,
    publicAccess: mergedFields(settings.publicAccess, publicAccess ?? {}, NEW_PUBLIC_ACCESS),
    rateLimits: mergedFields(settings.rateLimits, rateLimits ?? {}, {}),
    crawlerConfig: mergedFields(settings.crawlerConfig, crawlerConfig ?? {}, NEW_CRAWLER_CONFIG),
    ...(crawlerConfig?.singleUrls && { singleUrlsSince: settings.version + 1 }),
    removalPolicy: mergedFields(settings.removalPolicy, removalPolicy ?? {}, NEW_REMOVAL_POLICY),
  };
}
