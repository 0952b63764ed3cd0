import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../support/admin-command.ts';
import { listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';

const PAGES = Array.from({ length: 20 }, (_, index) => ({
  url: `/lamp-${index}`,
  contentType: 'text',
  content: `Lamp ${index} of the lighthouse.`,
}));

describe('npm run admin -- check', () => {
  let service: LocalService;
  let siteId: string;

  beforeAll(async () => {
    service = await LocalService.start();
    siteId = await service.createSite('https://www.example/');
    expect((await service.api('POST', `/sites/${siteId}/pages`, { pages: PAGES })).status).toBe(200);
  });
  afterAll(() => service.end());

  const check = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run('admin', ['--data', service.dataDir, 'check', ...args]);
    return { code, stderr, result: stdout === '' ? {} : JSON.parse(stdout) };
  };
  const damage = (statement: string) => {
    const database = new DatabaseSync(join(service.dataDir, 'site-search.sqlite'));
    expect(database.prepare(statement).run().changes).toBeGreaterThan(0);
    database.close();
  };
  const found = async () =>
    listOf((await service.visit(`/public/sites/${siteId}/search?q=lighthouse&minScore=0&limit=50`)).body.results)
      .length;

  it('the check reports full agreement of the stores while a server runs', async () => {
    const { code, result } = await check();
    expect(result).toMatchObject({ agrees: true });
    expect(result.sites).toContainEqual({ siteId, pages: 20, pageCount: 20, texts: 20, indexed: 20, faults: {} });
    expect(code).toBe(0);
  });

  it('the check reports differences, repairs them, and then reports full agreement', async () => {
    await service.kill('SIGKILL');
    damage(`DELETE FROM item WHERE sk LIKE 'G#%PAGE#%/lamp-7'`);
    const before = await check(siteId);
    expect(before.result).toMatchObject({
      agrees: false,
      sites: [
        {
          pages: 19,
          pageCount: 20,
          indexed: 20,
          faults: { notRegistered: { pages: 1, examples: ['https://www.example/lamp-7'] }, miscounted: true },
        },
      ],
    });
    expect(before.code).toBe(1);
    const repaired = await check(siteId, '--repair');
    expect(repaired.result).toMatchObject({ agrees: true, sites: [{ repaired: true, left: { faults: {} } }] });
    expect(repaired.code).toBe(0);
    expect(await check(siteId)).toMatchObject({
      code: 0,
      result: { sites: [{ pages: 19, pageCount: 19, indexed: 19 }] },
    });
    await service.restart();
    expect(await found()).toBe(19);
  }, 60_000);

  it('the check names a site that does not exist', async () => {
    expect(await check('no-site')).toMatchObject({ code: 1, stderr: expect.stringContaining('no-site') });
  });

  it('the check recommends index rebuild, which fills an index that is empty', async () => {
    await service.kill('SIGKILL');
    damage('DELETE FROM index_page');
    expect((await check(siteId)).result.sites[0].faults).toMatchObject({ notIndexed: { pages: 19 } });
    const { code } = await run('admin', ['--data', service.dataDir, 'index', 'rebuild']);
    expect(code).toBe(0);
    await service.restart();
    await eventually(async () => (await found()) === 19, 30_000);
  }, 60_000);
});
