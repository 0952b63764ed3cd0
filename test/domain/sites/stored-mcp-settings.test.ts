import { expect, it } from '@jest/globals';
import type { SiteRecord } from '../../../lambdas/domain/sites/site.ts';
import { NEW_PUBLIC_ACCESS } from '../../../lambdas/domain/sites/site-settings.ts';
import { siteDetails } from '../../../lambdas/domain/sites/site-view.ts';

it('a site that was stored before agents could be admitted is shown as closed to them', () => {
  const { mcpEnabled, ...publicAccess } = { ...NEW_PUBLIC_ACCESS, enabled: true };
  const settings = { publicAccess, crawlerConfig: {} };
  const shown = siteDetails({ settings, state: {} } as unknown as SiteRecord);
  expect(mcpEnabled).toBe(false);
  expect([shown.publicAccess, shown.mcp]).toEqual([{ ...publicAccess, mcpEnabled: false }, { answer: false }]);
});
