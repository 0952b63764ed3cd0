import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PageAddress, PageStore, StoredPage } from '../../lambdas/domain/ports/page-store.ts';

type Opened = { readonly pageStore: PageStore; close(): Promise<void> };

const page = (title: string, more: Partial<StoredPage> = {}): StoredPage => ({
  url: `https://example.org/${title}`,
  title,
  tags: [],
  blocks: [{ kind: 'text', text: `About ${title}` }],
  links: [],
  noindex: false,
  nofollow: false,
  ...more,
});

const newAddress = (more: Partial<PageAddress> = {}): PageAddress => ({
  siteId: randomUUID(),
  generation: 1,
  urlHash: randomUUID(),
  revision: 1,
  ...more,
});

/** The promises of `PageStore`. The store may hold pages of other sites. */
export function pageStoreContract(name: string, open: () => Promise<Opened>): void {
  describe(`PageStore on ${name}`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const store = () => opened.pageStore;

    onePage(store);
    listing(store);
    removal(store);
  });
}

function onePage(store: () => PageStore): void {
  it('a page is read as it was put', async () => {
    const address = newAddress();
    const whole = page('A "title" 東京 👍', {
      description: '',
      language: 'en',
      publishedAt: '2026-01-02',
      tags: ['a', 'ä'],
      markdown: '# 東京\n\n| a | \\| |\n',
      isMarkdown: true,
      blocks: [
        { kind: 'heading', level: 2, text: 'Heading', anchor: 'heading' },
        { kind: 'code', text: 'if (a < b) {\n\treturn "\\u0000";\n}\u0000' },
        { kind: 'table', text: 'a | b\nc | d' },
      ],
      links: [{ href: 'https://example.org/b?c=d&e', nofollow: true }],
      canonical: 'https://example.org/a',
      refresh: { seconds: 0, url: 'https://example.org/' },
    });
    await store().put([{ address, page: whole }]);
    expect(await store().get([address])).toEqual([whole]);
  });

  it('a page may have megabytes of text', async () => {
    const address = newAddress();
    const long = page('long', { blocks: [{ kind: 'text', text: 'Many words, 東京. '.repeat(200_000) }] });
    await store().put([{ address, page: long }]);
    expect(await store().get([address])).toEqual([long]);
  });

  it('a page is separate for each site, generation, URL and revision', async () => {
    const address = newAddress();
    const others = [
      { ...address, siteId: randomUUID() },
      { ...address, generation: 2 },
      { ...address, urlHash: randomUUID() },
      { ...address, revision: 2 },
    ];
    await store().put([{ address, page: page('it') }]);
    expect(await store().get(others)).toEqual([undefined, undefined, undefined, undefined]);
    await store().put(others.map((other, n) => ({ address: other, page: page(`other ${n}`) })));
    expect(await store().get([address])).toEqual([page('it')]);
  });

  it('a page may be put again', async () => {
    const address = newAddress();
    await store().put([{ address, page: page('a') }]);
    await store().put([{ address, page: page('a') }]);
    expect(await store().get([address])).toEqual([page('a')]);
  });

  it('a page is answered in the order of the addresses, among many', async () => {
    const addresses = Array.from({ length: 40 }, () => newAddress());
    await store().put(addresses.map((address, n) => ({ address, page: page(String(n)) })));
    const requested = [...addresses.toReversed(), newAddress(), ...addresses.slice(0, 1)];
    const titles = (await store().get(requested)).map((found) => found?.title);
    expect(titles).toEqual([...addresses.map((_, n) => String(n)).toReversed(), undefined, '0']);
    expect(await store().get([])).toEqual([]);
  });

  it('a page is absent after its removal, and may be removed again', async () => {
    const [gone, kept] = [newAddress(), newAddress()];
    await store().put([gone, kept].map((address) => ({ address, page: page('a') })));
    await store().remove([gone, newAddress()]);
    await store().remove([gone]);
    expect(await store().get([gone, kept])).toEqual([undefined, page('a')]);
  });
}

function listing(store: () => PageStore): void {
  it('a list names each page of one generation of a site once, in parts', async () => {
    const siteId = randomUUID();
    const addresses = Array.from({ length: 7 }, () => newAddress({ siteId, generation: 2 }));
    const revised = addresses.slice(0, 2).map((address) => ({ ...address, revision: address.revision + 1000 }));
    const others = [newAddress({ siteId, generation: 1 }), newAddress({ siteId, generation: 20 }), newAddress()];
    await store().put([...addresses, ...revised, ...others].map((address) => ({ address, page: page('a') })));
    const listed: PageAddress[] = [];
    let after: string | undefined;
    do {
      const part = await store().list({ siteId, generation: 2 }, { limit: 4, after });
      listed.push(...part.items);
      after = part.next;
    } while (after !== undefined && listed.length < 20);
    const named = (all: readonly PageAddress[]) => all.map((address) => JSON.stringify(address)).sort();
    expect(
      listed.map(({ siteId, generation, urlHash, revision }) => ({ siteId, generation, urlHash, revision })),
    ).toEqual(listed);
    expect(named(listed)).toEqual(named([...addresses, ...revised]));
    expect(await store().list({ siteId: randomUUID(), generation: 1 }, { limit: 10 })).toEqual({ items: [] });
  });
}

function removal(store: () => PageStore): void {
  it('removes older generations of one site, a bounded number at a time', async () => {
    const siteId = randomUUID();
    const addresses = Array.from({ length: 12 }, (_, n) => newAddress({ siteId, generation: 1 + (n % 3) }));
    const foreign = newAddress({ generation: 1 });
    await store().put([...addresses, foreign].map((address) => ({ address, page: page('a') })));
    let calls = 0;
    let isDone = false;
    while (!isDone && calls < 20) {
      isDone = await store().removeBelow(siteId, 3, 3);
      calls++;
    }
    const left = (await store().get(addresses)).map((found) => found !== undefined);
    expect(left).toEqual(addresses.map(({ generation }) => generation === 3));
    expect(calls).toBeGreaterThanOrEqual(3);
    expect(await store().get([foreign])).toEqual([page('a')]);
  });

  it('removes every generation of a site below infinity', async () => {
    const siteId = randomUUID();
    const addresses = [1, 99_999_999].map((generation) => newAddress({ siteId, generation }));
    await store().put(addresses.map((address) => ({ address, page: page('a') })));
    while (!(await store().removeBelow(siteId, Number.POSITIVE_INFINITY, 500)));
    expect(await store().get(addresses)).toEqual([undefined, undefined]);
  });

  it('answers true at once for a site without pages', async () => {
    expect(await store().removeBelow(randomUUID(), 5, 100)).toBe(true);
  });
}
