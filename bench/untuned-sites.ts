import { pageIndex } from '#adapters/page-index';
import { builtinEmbedder } from '../lambdas/connectors/embedder/builtin.ts';
import { withoutNumber } from '../lambdas/text/words/title-number.ts';
import { prepareSearchIndex } from '../local/server/search-index.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { blogWithListings, listingFigures } from './support/blog-with-listings.ts';
import { report } from './support/figures.ts';
import { mistyped } from './support/lenient-searches.ts';
import type { ManualQuery } from './support/manual-queries.ts';
import * as more from './support/more-untuned-queries.ts';
import { debianFolder } from './support/postgresql-manual.ts';
import { phraseFigures } from './support/quoted-phrases.ts';
import { htmlPages, titleQueries } from './support/relevance-collections.ts';
import { type IndexedSite, indexCollection } from './support/relevance-search.ts';
import * as queries from './support/untuned-queries.ts';

/** Sites that were not used for tuning: a Debian package, the folder, queries. `VERBOSE=1` lists each failure. */
const SITES = {
  'Node.js': ['nodejs-doc', 'usr/share/doc/nodejs/api', queries.NODE],
  Apache: ['apache2-doc', 'usr/share/doc/apache2-doc/manual/en', queries.APACHE],
  Django: ['python-django-doc', 'usr/share/doc/python-django-doc/html', queries.DJANGO],
  'Apache, French': ['apache2-doc', 'usr/share/doc/apache2-doc/manual/fr', queries.APACHE_FR],
  'handbook, German': ['debian-handbook', 'usr/share/doc/debian-handbook/html/de-DE', queries.HANDBOOK_DE],
  'handbook, Japanese': ['debian-handbook', 'usr/share/doc/debian-handbook/html/ja-JP', queries.HANDBOOK_JA],
  Python: ['python3.11-doc', 'usr/share/doc/python3.11/html', more.PYTHON],
  Postfix: ['postfix-doc', 'usr/share/doc/postfix/html', more.POSTFIX],
  Sphinx: ['sphinx-doc', 'usr/share/doc/sphinx-doc/html', more.SPHINX],
  'Debian FAQ': ['debian-faq', 'usr/share/doc/debian/FAQ', more.DEBIAN_FAQ],
  'GIMP, Spanish': ['gimp-help-es', 'usr/share/gimp/2.0/help/es', queries.GIMP_ES],
} as const satisfies Readonly<Record<string, readonly [string, string, readonly ManualQuery[]]>>;
const EVERY = Number(process.env.EVERY ?? 1);
const LIMITS = [1, 10, 50] as const;

const wanted = process.argv.slice(2);
const close = await openLocalStore();
await prepareSearchIndex();
try {
  for (const [name, [packageName, folder, list]] of Object.entries(SITES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const pages = htmlPages(debianFolder(packageName, folder));
    const site = await indexCollection({ pages }, pageIndex, builtinEmbedder());
    if (!name.endsWith('Japanese')) report(await phraseFigures(name, { pages }, site, EVERY));
    report({
      [`${name}: queries, right page in the first 3`]: await share(list, (query) => isAnswered(query[0], query, site)),
      [`${name}: keystrokes that show something`]: await share(
        list.flatMap(beginnings),
        async (text) => (await urlsOf({ query: text }, site)).length > 0,
      ),
      [`${name}: one typo, something found`]: await share(
        typos(list),
        async ({ text }) => (await urlsOf({ query: text }, site)).length > 0,
      ),
      [`${name}: one typo, right page in the first 3`]: await share(typos(list), ({ text, query }) =>
        isAnswered(text, query, site),
      ),
      [`${name}: titles first`]: await share(
        titleQueries({ pages, queries: [] }).filter(({ text }, i) => text !== '' && i % EVERY === 0),
        async ({ text, answers }) => {
          const plain = withoutNumber(text).replaceAll('"', '');
          const { results } = await site.ask({ query: plain });
          const [first] = results;
          return (
            answers.includes(first?.url ?? '') || first?.title.toLowerCase().endsWith(plain.toLowerCase()) === true
          );
        },
      ),
      [`${name}: same order for every limit`]: await share(list, ([query]) => isSteady(query, site)),
    });
  }
  if (wanted.length === 0 || wanted.includes('blog'))
    for (const theme of ['titles', 'excerpts', 'whole'] as const) {
      const blog = blogWithListings(theme);
      report(await listingFigures(theme, blog, await indexCollection(blog, pageIndex, builtinEmbedder())));
    }
} finally {
  await close();
}

async function share<T>(items: readonly T[], holds: (item: T) => Promise<boolean>) {
  let count = 0;
  for (const item of items) {
    if (await holds(item)) count++;
    else if (process.env.VERBOSE) console.log('  FAILS', JSON.stringify(item));
  }
  return { count: items.length, share: Number((count / items.length).toFixed(3)) };
}

async function urlsOf(request: Parameters<IndexedSite['ask']>[0], site: IndexedSite): Promise<readonly string[]> {
  return (await site.ask(request)).results.map(({ url }) => url);
}

async function isAnswered(text: string, [, ...answers]: ManualQuery, site: IndexedSite): Promise<boolean> {
  const urls = await urlsOf({ query: text, limit: 3 }, site);
  return urls.some((url) => answers.some((answer) => url.toLowerCase().includes(`/${answer}`)));
}

/** Returns the query after each letter from the second on, except after the last letters of its words. */
function beginnings([text]: ManualQuery): readonly string[] {
  return Array.from(text, (_, i) => text.slice(0, i + 1)).filter(
    (start, i) => i > 0 && /\S$/.test(start) && /^\S/.test(text.slice(start.length)),
  );
}

function typos(list: readonly ManualQuery[]): ReturnType<typeof mistyped> {
  return list.flatMap(mistyped).filter((_, i) => i % EVERY === 0);
}

async function isSteady(query: string, site: IndexedSite): Promise<boolean> {
  const first = await urlsOf({ query, limit: 100 }, site);
  for (const limit of LIMITS) {
    const urls = await urlsOf({ query, limit }, site);
    if (urls.some((url, i) => url !== first[i])) return false;
  }
  return true;
}
