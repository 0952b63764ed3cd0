import type { Item, TableReader } from '../ports/table.ts';
import {
  type SiteRecord,
  type SiteSettings,
  type SiteState,
  settingsKey,
  stateKey,
  withLanguages,
} from '../sites/site.ts';
import type { SearchGroup } from './group.ts';
import { KnownSettings } from './known-settings.ts';

/** Settings of a version never change, so each process reads them once. */
const known = new KnownSettings();

/** The sites of a group that are still there. */
export async function sitesInGroup(
  { siteIds, orgId }: Pick<SearchGroup, 'siteIds' | 'orgId'>,
  table: TableReader,
): Promise<readonly SiteRecord[]> {
  const states = (await table.getMany(siteIds.map(stateKey))).map((item) => item && withLanguages(item));
  const settings = await settingsOf(siteIds, states, table);
  return siteIds.flatMap((siteId, i) => {
    const [its, state] = [settings.get(siteId), states[i]];
    return its?.orgId === orgId && state ? [{ settings: its, state }] : [];
  });
}

async function settingsOf(
  siteIds: readonly string[],
  states: readonly (SiteState | undefined)[],
  table: TableReader,
): Promise<ReadonlyMap<string, SiteSettings>> {
  const found = new Map<string, SiteSettings>();
  const missing: string[] = [];
  for (const [i, siteId] of siteIds.entries()) {
    const state = states[i];
    const settings = known.get(siteId, state?.settingsVersion);
    if (settings) found.set(siteId, settings);
    else if (state) missing.push(siteId);
  }
  const read = await table.getMany<SiteSettings & Item>(missing.map(settingsKey));
  for (const settings of read) {
    if (!settings) continue;
    known.add(settings);
    found.set(settings.siteId, settings);
  }
  return found;
}
