import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';

const folder = join(import.meta.dirname, '../../web/search');
const names = await readdir(folder);
const files = new Map(
  await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
);
const all = [...files.values()].join('\n');
const html = files.get('index.html') ?? '';

interface Question {
  readonly siteId: string;
  readonly query: string;
  readonly limit: number;
}
interface LiveSearch {
  now(question: Question): Promise<void>;
  afterPause(action: () => void): void;
  stop(): void;
}
type Ask = (question: Question, signal: AbortSignal) => Promise<string | { readonly callsLeft: number }>;

const question = (query: string): Question => ({ siteId: 'docs', query, limit: 10 });

/** The browser's module with `ask` as the service, and the queries of the answers and errors that it showed. */
async function liveSearch(ask: Ask): Promise<{ live: LiveSearch; shown: string[]; failed: string[] }> {
  const path: string = join(folder, 'live-search.js');
  const { createLiveSearch } = await import(path);
  const shown: string[] = [];
  const failed: string[] = [];
  const live: LiveSearch = createLiveSearch(ask, {
    asking: () => {},
    answered: ({ query }: Question) => shown.push(query),
    failed: ({ query }: Question) => failed.push(query),
  });
  return { live, shown, failed };
}

describe('the search page', () => {
  it('has no inline script, style or handler, as its content security policy demands', () => {
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i);
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="search/search.js">']);
  });

  it('refers only to files that exist', () => {
    const inHtml = [...html.matchAll(/(?:src|href)="search\/([^"]+)"/g)].map((match) => match[1]);
    const inCode = [...all.matchAll(/(?:from '\.\/|url\(")([^'"]+)['"]/g)].map((match) => match[1]);
    expect(inHtml).toContain('search.css');
    expect(inCode).toContain('live-search.js');
    expect([...inHtml, ...inCode].filter((name) => !files.has(name ?? ''))).toEqual([]);
  });

  it('loads nothing from another origin', () => {
    const addresses = all.match(/https?:\/\/[^\s"')]+/g) ?? [];
    expect(addresses.filter((address) => address !== 'http://www.w3.org/2000/svg')).toEqual([]);
  });

  it('never turns text into markup or code', () => {
    expect(all).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|document\.write|\beval\(|new Function/,
    );
  });
});

describe('the answer above the results', () => {
  it('is asked only for queries of three words or more', async () => {
    const path: string = join(folder, 'chat-answer.js');
    const { isQuestion, plain } = await import(path);
    expect(['postgresql', 'vacuum full', ' how to vacuum '].map(isQuestion)).toEqual([false, false, true]);
    expect(plain('a \\<b> tag\n\n_Left out._')).toBe('a <b> tag\n\nLeft out.');
  });

  it('is read from the events of the stream', async () => {
    const path: string = join(folder, 'chat-service.js');
    const { chatEvents } = await import(path);
    const source = { url: 'https://docs.example/', title: 'Docs' };
    const frames = [
      `event: sources\ndata: ${JSON.stringify({ sources: [{ ...source, score: 1 }] })}`,
      'event: token\ndata: {"text":"A lamp. [1]"}',
      ': keep-alive',
      'event: done\ndata: {"sessionId":"s1"}',
    ];
    expect(frames.flatMap(chatEvents)).toEqual([
      { type: 'sources', sources: [source] },
      { type: 'token', text: 'A lamp. [1]' },
      { type: 'done', sessionId: 's1' },
    ]);
  });
});

describe('the button for more results', () => {
  it.each([
    [10, 10, 11, true],
    [30, 30, 31, true],
    [10, 10, 10, false],
    [30, 29, 40, false],
    [100, 100, 400, false],
  ])('with a limit of %d, %d shown and %d found is visible: %j', async (limit, shown, total, isVisible) => {
    const path: string = join(folder, 'more-results.js');
    const { canShowMore } = await import(path);
    expect(canShowMore({ limit }, { results: Array(shown), total })).toBe(isVisible);
  });
});

describe('searching while a person types', () => {
  it('never lets an older answer replace a newer one, even if the abort is ignored', async () => {
    const older = Promise.withResolvers<string>();
    const { live, shown } = await liveSearch(({ query }) =>
      query === 'older' ? older.promise : Promise.resolve(query),
    );
    const first = live.now(question('older'));
    await live.now(question('newer'));
    older.resolve('older');
    await first;
    expect(shown).toEqual(['newer']);
  });

  it('aborts the search that a newer one replaces, and reports no error for it', async () => {
    const signals: AbortSignal[] = [];
    const { live, failed } = await liveSearch(async ({ query }, signal) => {
      signals.push(signal);
      await Promise.resolve();
      signal.throwIfAborted();
      return query;
    });
    await Promise.all([live.now(question('a')), live.now(question('ab'))]);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    expect(failed).toEqual([]);
  });

  it('acts once, 120 ms after the last key', async () => {
    jest.useFakeTimers();
    const { live } = await liveSearch(async () => '');
    const acts: string[] = [];
    for (const typed of ['a', 'ab', 'abc']) {
      live.afterPause(() => acts.push(typed));
      jest.advanceTimersByTime(119);
    }
    expect(acts).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(acts).toEqual(['abc']);
    jest.useRealTimers();
  });

  it.each([
    [30, 120],
    [29, 500],
    [9, 1500],
    [0, 1500],
  ])('with %i searches left until the rate limit waits %i ms', async (callsLeft, pause) => {
    const { live } = await liveSearch(async () => ({ callsLeft }));
    await live.now(question('a'));
    jest.useFakeTimers();
    const acts: string[] = [];
    live.afterPause(() => acts.push('ab'));
    jest.advanceTimersByTime(pause - 1);
    expect(acts).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(acts).toEqual(['ab']);
    jest.useRealTimers();
  });

  it('does not repeat a query that was just answered', async () => {
    const asked: string[] = [];
    const { live, shown } = await liveSearch(async ({ query }) => {
      asked.push(query);
      return query;
    });
    for (const query of ['a', 'ab', 'a']) await live.now(question(query));
    expect(asked).toEqual(['a', 'ab']);
    expect(shown).toEqual(['a', 'ab', 'a']);
  });

  it('reports an error, and repeats the query the next time', async () => {
    let calls = 0;
    const { live, shown, failed } = await liveSearch(async ({ query }) => {
      calls += 1;
      if (calls === 1) throw new Error('refused');
      return query;
    });
    await live.now(question('a'));
    await live.now(question('a'));
    expect({ failed, shown }).toEqual({ failed: ['a'], shown: ['a'] });
  });
});

describe('features of newer browsers', () => {
  it('the pages use no features that browsers of the last three years lack', async () => {
    const reference = join(folder, '../reference');
    const others = await Promise.all(
      (await readdir(reference)).map(async (name) => readFile(join(reference, name), 'utf8')),
    );
    const newer =
      /URL\.parse\(|Map\.groupBy|Object\.groupBy|AbortSignal\.any|Promise\.(?:withResolvers|try)\(|light-dark\(/;
    expect([all, ...others].filter((text) => newer.test(text))).toEqual([]);
    expect(all).not.toMatch(/for await \([^)]*\.body/); // Safari cannot iterate a stream
  });
});

describe('the tags of results', () => {
  it('tags of results are buttons only if they narrow the results', async () => {
    const path: string = join(folder, 'tags.js');
    const { usefulTags } = await import(path);
    const tagCounts = new Map(Object.entries({ guide: 3, everywhere: 5, once: 1 }));
    expect(usefulTags(['everywhere', 'guide', 'once', 'unknown'], { total: 5, tagCounts })).toEqual(['guide']);
    expect(usefulTags(['guide'], { total: 3, tagCounts })).toEqual([]); // the filter that is chosen
  });
});

describe('the notes for the owner of a site', () => {
  const load = async () => {
    const path: string = join(folder, 'owner-service.js');
    return import(path);
  };

  it.each([
    [{ lastError: 'The site is down.' }, 'The last crawl failed: The site is down.'],
    [{ lastCrawl: { endReason: 'limit', indexed: 90, unchanged: 10, discovered: 1149 } }, '100 of 1,149 pages: limit'],
    [{ lastCrawl: { endReason: 'done', indexed: 90, discovered: 100 } }, ''],
    [{}, ''],
  ])('of %j begin with "%s"', async (site, words) => {
    const { crawlNews, toDetails } = await load();
    const said: string = crawlNews(toDetails(site));
    expect(said.slice(0, words.length)).toBe(words);
    if (words === '') expect(said).toBe('');
  });

  it('the notes say that visitors cannot search a site, if they cannot', async () => {
    const { toDetails } = await load();
    const isOpen = (publicAccess: object): boolean => toDetails({ publicAccess }).isOpen;
    expect(isOpen({ enabled: true, searchEnabled: true })).toBe(true);
    expect([{ enabled: false, searchEnabled: true }, { enabled: true }, {}].map(isOpen)).toEqual([false, false, false]);
  });
});
