import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeSections, type Sections } from '../../../lambdas/search-engine/segment-format.ts';
import { queryTerms } from '../../../lambdas/text/words/query-terms.ts';
import { openDatabase } from '../../../local/sqlite/database.ts';
import { type SegmentRow, segmentRows } from '../../../local/sqlite/index/segment-rows.ts';
import { segmentStore } from '../../../local/sqlite/index/segment-store.ts';
import { pageIndex } from '../../../local/sqlite/page-index.ts';
import { FILE_NAME } from '../../../local/sqlite/schema.ts';
import { mergeSegmentsRepeatedly, rewriteSegments, segmentsToMerge } from '../../../local/threads/merge-segments.ts';
import { closeStore, openStore } from '../../../local/threads/open-store.ts';
import { store } from '../../../local/threads/store.ts';
import { eventually } from '../../support/eventually.ts';
import { indexEntry, newScope } from '../../support/index-entries.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

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
    const names = Array.from({ length: 40 }, (_, n) => `page-${n}`);
    for (const name of names) await put(name, `gopher ${name}`);
    expect(await found('gopher')).toEqual(names.toSorted());
    await pageIndex.remove([{ ...scope, urlHash: 'page-3', revision: 1 }], { visible: 'now' });
    const halt = new AbortController();
    const merging = mergeSegmentsRepeatedly(halt.signal, console.error);
    await eventually(async () => (segments() <= 8 ? true : undefined));
    halt.abort();
    await merging;
    expect(await found('gopher')).toEqual(names.filter((name) => name !== 'page-3').toSorted());
    await closeStore();
    await openStore(folder.path);
    expect(await found('gopher')).toHaveLength(39);
  });

  it('the file has no word of deleted pages after a clean end', async () => {
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
    await rewriteSegments();
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

  it('segments stay as they are if a part of their replacement is gone', async () => {
    await put('one', 'gopher');
    await put('two', 'gopher');
    const database = openDatabase(folder.path);
    const rows = segmentRows(database).of(1);
    const merged = segmentRows(database).merged(rows);
    const { storePart, replace } = segmentStore(database);
    storePart(merged?.made?.id ?? 0, 0, encodeSections(merged?.sections as Sections).slice(0, 1000));
    expect(replace(rows, { made: merged?.made, dropped: [] })).toBe(false);
    database.close();
    expect(await found('gopher')).toEqual(['one', 'two']);
  });

  it('segments are read whole while others replace them', async () => {
    await put('page', 'gopher');
    const script = new URL('../../support/segment-rewriter.ts', import.meta.url);
    const thread = new Worker(script, { workerData: file() });
    await once(thread, 'message');
    for (let n = 0; n < 300; n++) expect(await found('gopher')).toEqual(['page']);
    await thread.terminate();
  });

  it('segments are not merged if one of them was removed during the merge', async () => {
    await put('one', 'gopher');
    await put('two', 'gopher');
    const [rows = []] = store().read.segments.ofSites();
    expect(store().read.segments.merged(rows)).toMatchObject({ made: { chunks: 2 }, dropped: [] });
    await pageIndex.removeBelow(scope.siteId, scope.generation + 1, 100);
    expect(store().read.segments.merged(rows)).toBeUndefined();
  });

  it('segments are removed with their pages if another version has written them', async () => {
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

describe('segmentsToMerge', () => {
  const segments = (sizes: readonly number[]): readonly SegmentRow[] =>
    sizes.map((chunks, id) => ({ id, partition: 1, firstPage: id, lastPage: id, chunks, size: 1 }));
  const sizesOf = (rows: readonly SegmentRow[]): readonly number[] => rows.map(({ chunks }) => chunks);

  it('takes neighbours up to the largest size of a segment, when no pages are added', () => {
    const groups = segmentsToMerge(segments([8100, 300, 84, 7000, 1400, 5]), true);
    expect(groups.map(sizesOf)).toEqual([
      [300, 84, 7000],
      [1400, 5],
    ]);
  });

  it('takes none while pages are added, until it saves more than 32', () => {
    const sizes = [8192, ...Array.from({ length: 33 }, () => 50)];
    expect(segmentsToMerge(segments(sizes), false)).toEqual([]);
    expect(segmentsToMerge(segments([...sizes, 50]), false).map(sizesOf)).toEqual([[...sizes.slice(1), 50]]);
  });

  it.each([
    { put: 61, total: 5000, most: 1.5 }, // the crawl of a small site
    { put: 50, total: 50_000, most: 4 },
    { put: 30, puts: 20, total: 50_000, most: 6 },
  ])('merges each page $most times at most, and leaves few segments, if $put chunks are put at once', (example) => {
    // `puts`: how many between two looks for segments to merge.
    const { put, puts = 1, total, most } = example;
    let sizes: readonly number[] = [];
    let merged = 0;
    let longest = 0;
    for (let chunks = 0; chunks < total; chunks += put * puts) {
      sizes = [...sizes, ...Array.from({ length: puts }, () => put)];
      let rows = segments(sizes);
      for (const group of segmentsToMerge(rows, false)) {
        const sum = sizesOf(group).reduce((before, size) => before + size, 0);
        merged += sum;
        rows = rows.flatMap((row) => (row === group[0] ? { ...row, chunks: sum } : group.includes(row) ? [] : row));
      }
      sizes = sizesOf(rows);
      longest = Math.max(longest, sizes.length);
    }
    expect(merged / total).toBeLessThan(most);
    expect(longest).toBeLessThan(60);
  });
});
