import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkerThread } from '../../../../lambdas/connectors/worker-thread.ts';
import { encodeSections } from '../../../../lambdas/search-engine/segment-format.ts';
import { queryTerms } from '../../../../lambdas/text/words/query-terms.ts';
import { openDatabase } from '../../../../local/sqlite/database.ts';
import { type Merged, merged } from '../../../../local/sqlite/index/merge-plan.ts';
import { type SegmentRow, segmentRows } from '../../../../local/sqlite/index/segment-rows.ts';
import { segmentStore } from '../../../../local/sqlite/index/segment-store.ts';
import { pageIndex } from '../../../../local/sqlite/page-index.ts';
import { FILE_NAME } from '../../../../local/sqlite/schema.ts';
import { closeStore, openStore } from '../../../../local/threads/open-store.ts';
import { outputOf, startProcess } from '../../../support/child-process.ts';
import { eventually } from '../../../support/eventually.ts';
import { indexEntry, newScope } from '../../../support/index-entries.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: TemporaryFolder;
const file = () => join(folder.path, FILE_NAME);

beforeEach(async () => {
  folder = temporaryFolder();
  await openStore(folder.path);
});
afterEach(async () => {
  await closeStore();
  folder.remove();
});

const scope = newScope();
const put = (urlHash: string, text: string): Promise<void> =>
  pageIndex.put([indexEntry(scope, { urlHash, texts: [text] })], { visible: 'now' });

async function found(text: string): Promise<readonly string[]> {
  const query = { terms: queryTerms(text, ['en']), limit: 100, requiredPhrases: [], excludedPhrases: [] };
  const { pages } = await pageIndex.candidates({ ...query, scopes: [scope] });
  return pages.map(({ urlHash }) => urlHash).sort();
}

function segments(): number {
  const database = new DatabaseSync(file(), { readOnly: true });
  const row = database.prepare('SELECT count(*) AS found FROM index_segment').get();
  database.close();
  return Number(row?.found);
}

describe('the segments of a site', () => {
  it('are merged while pages are added, and searches find the same', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `page-${n}`);
    for (const name of names) await put(name, `gopher ${name}`);
    expect(await found('gopher')).toEqual(names.toSorted());
    await pageIndex.remove([{ ...scope, urlHash: 'page-3', revision: 1 }], { visible: 'now' });
    await eventually(async () => (segments() <= 8 ? true : undefined));
    expect(await found('gopher')).toEqual(names.filter((name) => name !== 'page-3').toSorted());
    await closeStore();
    await openStore(folder.path);
    expect(await found('gopher')).toHaveLength(19);
  });

  it('have no word of deleted pages in the file after a clean end', async () => {
    await put('kept', 'gopher');
    await put('gone', 'quokkasecret');
    await pageIndex.put(
      [
        indexEntry(scope, { urlHash: 'both', texts: ['gopher'] }),
        indexEntry(scope, { urlHash: 'x', texts: ['numbatsecret'] }),
      ],
      { visible: 'now' },
    );
    const refs = ['gone', 'x'].map((urlHash) => ({ ...scope, urlHash, revision: 1 }));
    await pageIndex.remove(refs, { visible: 'now' });
    await closeStore();
    const bytes = readFileSync(file());
    expect([bytes.includes('gopher'), bytes.includes('quokkasecret'), bytes.includes('numbatsecret')]).toEqual([
      true,
      false,
      false,
    ]);
    await openStore(folder.path);
    expect(await found('gopher')).toEqual(['both', 'kept']);
  });

  it('stay as they are if a part of what would replace them is gone', async () => {
    await put('one', 'gopher');
    await put('two', 'gopher');
    const database = openDatabase(folder.path);
    const rows = segmentRows(database).of(1);
    const { sections, made, dropped } = merged(rows, segmentRows(database));
    const { storePart, replace } = segmentStore(database);
    storePart(made?.id ?? 0, 0, encodeSections(sections).slice(0, 1000));
    expect(replace(rows, { made, dropped })).toBe(false);
    database.close();
    expect(await found('gopher')).toEqual(['one', 'two']);
  });

  it('are read whole while others replace them', async () => {
    await put('page', 'gopher');
    const script = new URL('../../../support/segment-rewriter.ts', import.meta.url);
    const thread = new Worker(script, { workerData: file(), execArgv: ['--disable-warning=ExperimentalWarning'] });
    await once(thread, 'message');
    for (let n = 0; n < 300; n++) expect(await found('gopher')).toEqual(['page']);
    await thread.terminate();
  });

  it('are written and merged without WebAssembly', async () => {
    await closeStore();
    const output = await outputOf(startProcess('support/without-web-assembly.ts', folder.path));
    expect(JSON.parse(output)).toEqual({ merged: 1000, compiled: 0 });
  });

  it('are not merged if one of them has been removed meanwhile', async () => {
    await put('one', 'gopher');
    await put('two', 'gopher');
    const database = new DatabaseSync(file(), { readOnly: true });
    const rows = segmentRows(database).of(1);
    database.close();
    const script = new URL('../../../../local/threads/merge-thread.ts', import.meta.url);
    const thread = new WorkerThread<readonly SegmentRow[], Merged | undefined>({
      ...{ name: 'merging', script, data: () => ({ data: file() }) },
    });
    expect(await thread.request(rows)).toMatchObject({ made: { chunks: 2 }, dropped: [] });
    await pageIndex.removeBelow(scope.siteId, scope.generation + 1, 100);
    expect(await thread.request(rows)).toBeUndefined();
    await thread.stop();
  });

  it('are removed with their pages if another version has written them', async () => {
    await put('page', 'gopher');
    await closeStore();
    const database = new DatabaseSync(file());
    database.exec('UPDATE index_segment SET format = format + 1');
    database.close();
    await openStore(folder.path);
    expect(await found('gopher')).toEqual([]);
    await put('page', 'gopher');
    expect(await found('gopher')).toEqual(['page']);
  });
});
