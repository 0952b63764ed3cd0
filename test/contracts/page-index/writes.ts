import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { IndexEntry, SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import { queryTerms } from '../../../lambdas/text/words/query-terms.ts';
import { eventually } from '../../support/eventually.ts';
import { embeddedAt, indexEntry, newScope, queryVectorAt } from '../../support/index-entries.ts';
import { type Access, named, only, put, search, urls, urlsOf } from './queries.ts';

export function changes(index: Access): void {
  it('shows a page at once after `now`, and within 5 s after `soon`', async () => {
    const scope = newScope();
    await put(index(), scope, [named('now', { texts: ['gopher'] })]);
    expect(urlsOf(await search(index(), scope, 'gopher'))).toEqual(urls('now'));
    await index().put([indexEntry(scope, named('soon', { texts: ['gopher'] }))], { visible: 'soon' });
    await eventually(
      async () => ((await search(index(), scope, 'gopher')).pages.length === 2 ? true : undefined),
      5000,
    );
  });

  it('shows after a refresh all puts and removals that were `soon`', async () => {
    const scope = newScope();
    const page = (name: string) => indexEntry(scope, named(name, { texts: ['gopher'] }));
    const gone = page('gone');
    await index().put([gone], { visible: 'now' });
    await index().put([page('a'), page('b')], { visible: 'soon' });
    await index().remove([gone], { visible: 'soon' });
    await index().refresh();
    const found = await search(index(), scope, 'gopher');
    expect(urlsOf(found)).toEqual(urls('a', 'b'));
    expect(found.statistics.get(scope.siteId)?.chunks).toBe(2);
  });

  it('replaces the whole page', async () => {
    const scope = newScope();
    const parts = { urlHash: randomUUID(), tags: ['old'], facts: ['s:a=old'], title: 'Old' };
    await put(index(), scope, [{ ...parts, texts: ['first words', 'second words'] }]);
    await put(index(), scope, [
      { ...parts, revision: 2, title: 'New', tags: ['new'], facts: [], texts: ['third words'] },
    ]);
    expect((await search(index(), scope, 'first second old')).pages).toEqual([]);
    const { tags, facts, chunks } = only(await search(index(), scope, 'words'));
    expect({ tags, facts, ords: chunks.map(({ ord }) => ord) }).toEqual({ tags: ['new'], facts: [], ords: [0] });
  });

  it('ignores an older revision, and accepts the same one again', async () => {
    const scope = newScope();
    const urlHash = randomUUID();
    await put(index(), scope, [{ urlHash, revision: 5, texts: ['newer'] }]);
    await put(index(), scope, [{ urlHash, revision: 4, texts: ['older'] }]);
    await put(index(), scope, [{ urlHash, revision: 5, texts: ['newer'] }]);
    expect((await search(index(), scope, 'older')).pages).toEqual([]);
    const found = await search(index(), scope, 'newer');
    expect([found.pages.length, found.statistics.get(scope.siteId)?.chunks]).toEqual([1, 1]);
  });

  it('shows a page while it is put again', async () => {
    const scope = newScope();
    const [page] = await put(index(), scope, [{ texts: ['gopher'] }]);
    if (page) await index().put([page], { visible: 'soon' });
    expect((await search(index(), scope, 'gopher')).pages).toHaveLength(1);
  });

  it('removes pages unless a newer revision is indexed, and ignores absent pages', async () => {
    const scope = newScope();
    const [gone, kept] = await put(index(), scope, [
      named('gone', { revision: 3, texts: ['gopher'] }),
      named('kept', { revision: 3, texts: ['gopher'] }),
    ]);
    const ref = (entry: IndexEntry | undefined, revision: number) => ({
      ...scope,
      urlHash: entry?.urlHash ?? '',
      revision,
    });
    await index().remove([ref(gone, 3), ref(kept, 2), { ...scope, urlHash: randomUUID(), revision: 9 }], {
      visible: 'now',
    });
    expect(urlsOf(await search(index(), scope, 'gopher'))).toEqual(urls('kept'));
    await index().remove([{ ...newScope(), urlHash: randomUUID(), revision: 1 }], { visible: 'now' });
  });

  it('accepts pages with no chunk and with 1,000 chunks', async () => {
    const scope = newScope();
    const texts = Array.from({ length: 1000 }, (_, n) => (n === 777 ? 'needle' : `hay ${n}`));
    await put(index(), scope, [named('empty', {}), named('long', { texts })]);
    const found = await search(index(), scope, 'needle');
    expect(urlsOf(found)).toEqual(urls('long'));
    expect(only(found).chunks.map(({ ord }) => ord)).toContain(777);
    expect(found.statistics.get(scope.siteId)?.chunks).toBe(1000);
  });
}

export function removal(index: Access): void {
  it('removes older generations of one site, up to the limit, and keeps the rest', async () => {
    const scope = newScope(3);
    const foreign = newScope(1);
    for (const generation of [1, 2, 3]) {
      await put(
        index(),
        { ...scope, generation },
        [0, 1, 2].map(() => ({ texts: ['gopher'], embedded: [embeddedAt(0)] })),
      );
    }
    await put(index(), foreign, [{ texts: ['gopher'] }]);
    let calls = 0;
    while (!(await index().removeBelow(scope.siteId, 3, 2)) && calls < 20) calls++;
    expect(calls).toBeGreaterThanOrEqual(2);
    const remaining = async (of: SiteScope) =>
      (await search(index(), of, 'gopher', { vector: queryVectorAt(0) })).pages.length;
    expect([await remaining({ ...scope, generation: 1 }), await remaining({ ...scope, generation: 2 })]).toEqual([
      0, 0,
    ]);
    expect([await remaining(scope), await remaining(foreign)]).toEqual([3, 1]);
  });

  it('removes pages from the statistics too', async () => {
    const scope = newScope();
    for (const word of ['gopher', 'walnut']) {
      await put(
        index(),
        scope,
        [0, 1, 2].map(() => ({ texts: [word] })),
      );
      await search(index(), scope, 'gopher walnut');
      if (word === 'gopher') while (!(await index().removeBelow(scope.siteId, Number.POSITIVE_INFINITY, 500)));
    }
    const { statistics: counted } = await search(index(), scope, 'gopher walnut');
    expect(counted.get(scope.siteId)).toMatchObject({ chunks: 3, documentFrequency: [0, 3] });
  });

  it('removes a whole site below infinity, and answers true at once for a site without pages', async () => {
    const scope = newScope(7);
    await put(index(), scope, [{ texts: ['gopher'] }]);
    while (!(await index().removeBelow(scope.siteId, Number.POSITIVE_INFINITY, 500)));
    expect((await search(index(), scope, 'gopher')).pages).toEqual([]);
    expect(await index().removeBelow(randomUUID(), 5, 100)).toBe(true);
  });
}
export function statistics(index: Access): void {
  const of = async (scope: SiteScope, query: string) =>
    (await search(index(), scope, query)).statistics.get(scope.siteId);

  it('statistics count the chunks of the site, and those that contain a word in any of its forms', async () => {
    const scope = newScope();
    await put(index(), scope, [
      { title: 'A', texts: ['run run', 'walk', 'running walk'] },
      { title: 'A', texts: ['swim'] },
    ]);
    expect(await of(scope, 'run walk absent')).toEqual({
      chunks: 4,
      averageLength: (3 + 2 + 3 + 2) / 4,
      documentFrequency: [2, 2, 0],
    });
  });

  it('statistics count a chunk with several forms of a word once', async () => {
    const scope = newScope();
    await put(index(), scope, [{ title: 'A', texts: ['nation national', 'national', 'other'] }]);
    const [term] = queryTerms('nation', ['en']);
    if (term === undefined) throw new Error('No term');
    const forms = ['nation', 'nat'];
    const terms = [{ ...term, forms: [...forms, ...queryTerms('national', ['en']).flatMap((other) => other.forms)] }];
    const found = await index().candidates({
      scopes: [scope],
      terms,
      requiredPhrases: [],
      excludedPhrases: [],
      limit: 10,
    });
    expect(found.statistics.get(scope.siteId)?.documentFrequency).toEqual([2]);
  });

  it('statistics count neither other sites nor other generations', async () => {
    const [one, other] = [newScope(1), newScope(1)];
    const next = { ...one, generation: 2 };
    await put(index(), one, [{ title: 'A', texts: ['gopher', 'gopher'] }]);
    await put(index(), next, [{ title: 'A', texts: ['gopher'] }]);
    await put(index(), other, [{ title: 'A', texts: ['gopher', 'x', 'y'] }]);
    expect([await of(one, 'gopher'), await of(next, 'gopher'), await of(other, 'gopher')]).toMatchObject([
      { chunks: 2, documentFrequency: [2] },
      { chunks: 1, documentFrequency: [1] },
      { chunks: 3, documentFrequency: [1] },
    ]);
  });

  it('statistics reflect every put and removal', async () => {
    const scope = newScope();
    const [first] = await put(index(), scope, [{ title: 'A', texts: ['gopher one', 'gopher two'] }]);
    expect(await of(scope, 'gopher')).toMatchObject({ chunks: 2, documentFrequency: [2] });
    await put(index(), scope, [{ title: 'A', texts: ['gopher'] }]);
    expect(await of(scope, 'gopher')).toMatchObject({ chunks: 3, documentFrequency: [3] });
    await index().remove([{ ...scope, urlHash: first?.urlHash ?? '', revision: 1 }], { visible: 'now' });
    expect(await of(scope, 'gopher')).toMatchObject({ chunks: 1, averageLength: 2, documentFrequency: [1] });
  });

  it('statistics are zero for a site without pages', async () => {
    const scope = newScope();
    expect(await of(scope, 'two words')).toEqual({
      chunks: 0,
      averageLength: 0,
      documentFrequency: [0, 0],
    });
  });
}
