import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addressCheck } from '../../../lambdas/connectors/fetcher/address-check.ts';
import type { FieldChanges, Key, Range, Table } from '../../../lambdas/domain/ports/table.ts';
import { createOrganisation } from '../../../lambdas/domain/sites/access/organisation.ts';
import { clearCrawlUrls, crawlUrls, replaceCrawlUrls } from '../../../lambdas/domain/sites/crawl-urls.ts';
import { createSite } from '../../../lambdas/domain/sites/manage-sites.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { memoryTable } from '../../support/memory/table.ts';

const table = memoryTable();

const BASE = 'https://site.example';
const clock = () => 1_800_000_000_000;

describe('the saved crawl scope', () => {
  const caller = { orgId: newId(), plan: 'enterprise' } as const;
  let siteId: string;

  beforeAll(async () => {
    await createOrganisation({ orgId: caller.orgId, name: 'Test', plan: caller.plan }, { table, clock });
  });
  beforeEach(async () => {
    const { settings } = await createSite({ name: 'Test', baseUrl: BASE }, caller, { table, clock, newId });
    siteId = settings.siteId;
  });

  const resolving = (resolve: () => Promise<readonly string[]>) =>
    addressCheck({ allowHosts: [], timeoutMs: 30, resolve });
  const isPublic = resolving(async () => ['93.184.215.14']);
  const replace = (urls: readonly string[], checkAddress = isPublic) =>
    replaceCrawlUrls(siteId, urls, caller, { table, checkAddress, newId });
  const failing = (code: string) => resolving(() => Promise.reject(Object.assign(new Error(code), { code })));

  it('a crawl scope stays as it is while the address of the site cannot be verified', async () => {
    await replace([`${BASE}/a`]);
    for (const check of [failing('EAI_AGAIN'), resolving(() => new Promise(() => undefined))])
      await expect(replace([`${BASE}/b`], check)).rejects.toMatchObject({ code: 'address_unverified' });
    expect(await crawlUrls(siteId, caller, table)).toEqual([`${BASE}/a`]);
  });

  it('a crawl scope is refused in the same words for a name that does not exist and for one that is not public', async () => {
    for (const check of [failing('ENOTFOUND'), resolving(async () => ['93.184.215.14', '10.0.0.1'])])
      await expect(replace([`${BASE}/b`], check)).rejects.toMatchObject({
        code: 'invalid_request',
        message: 'The site cannot be crawled: site.example has no public address',
      });
    expect(await crawlUrls(siteId, caller, table)).toEqual([]);
  });

  it('a warning says that the whole site will be crawled when nothing of a crawl scope is left', async () => {
    await replace([`${BASE}/a`]);
    expect(await replace(['https://other.example/'])).toEqual({
      urls: [],
      rejected: 1,
      warning:
        '1 URL was dropped: it is not on https://site.example. No URL is left, so the whole site will be crawled.',
    });
    expect(await crawlUrls(siteId, caller, table)).toEqual([]);
  });

  it('a replaced crawl scope leaves no items behind', async () => {
    const long = Array.from({ length: 400 }, (_, n) => `${BASE}/${n}/${'x'.repeat(1900)}`);
    await replace(long);
    expect(await crawlUrls(siteId, caller, table)).toEqual(long);
    await replace([`${BASE}/a`]);
    const stored = () => table.query(`SITE#${siteId}`, { prefix: 'SCOPE#', limit: 100 });
    expect((await stored()).items).toMatchObject([{ urls: [`${BASE}/a`] }]);
    await clearCrawlUrls(siteId, caller, { table, newId });
    expect((await stored()).items).toEqual([]);
  });

  it('a crawl scope is read whole when it is replaced between two reads of the table', async () => {
    await replace([`${BASE}/old`]);
    let isReplaced = false;
    const overtaken: Table = Object.create(table, {
      query: {
        value: async (pk: string, range: Range) => {
          if (!isReplaced) await replace([`${BASE}/new`]);
          isReplaced = true;
          return table.query(pk, range);
        },
      },
    });
    expect(await crawlUrls(siteId, caller, overtaken)).toEqual([`${BASE}/new`]);
  });

  it('of two crawl scopes that are saved at once, the last one is kept', async () => {
    let isOvertaken = false;
    const overtaken: Table = Object.create(table, {
      update: {
        value: async (key: Key, changes: FieldChanges) => {
          if (!isOvertaken) await replace([`${BASE}/first`]);
          isOvertaken = true;
          return table.update(key, changes);
        },
      },
    });
    await replaceCrawlUrls(siteId, [`${BASE}/last`], caller, { table: overtaken, checkAddress: isPublic, newId });
    expect(await crawlUrls(siteId, caller, table)).toEqual([`${BASE}/last`]);
    const { items } = await table.query(`SITE#${siteId}`, { prefix: 'SCOPE#', limit: 100 });
    expect(items).toHaveLength(1);
  });
});
