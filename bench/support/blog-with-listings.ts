import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extractHtml } from '../../lambdas/text/extraction/extract-html.ts';
import { shownBlocks } from '../../lambdas/text/page-content.ts';
import { detectLanguage } from '../../lambdas/text/words/detect-language.ts';
import type { Figures } from './figures.ts';
import type { Collection } from './relevance-collections.ts';
import type { IndexedSite } from './relevance-search.ts';

const MATERIAL = process.env.MATERIAL_DIR ?? '../shared/material';
const ORIGIN = 'https://blog.example';
const POSTS_PER_PAGE = 6;
const YEARS = [2014, 2015, 2016, 2017, 2018, 2019];
const TAGS = ['google', 'music', 'children', 'research', 'security', 'women', 'police', 'school', 'design', 'war'];

/** How much lists of posts show of each post: its title, its first paragraphs, or all of it. */
export type Theme = 'titles' | 'excerpts' | 'whole';
export type Post = {
  readonly url: string;
  readonly title: string;
  readonly year: number;
  readonly tags: readonly string[];
  readonly headings: readonly string[];
  readonly paragraphs: readonly string[];
};
export type Listing = { readonly url: string; readonly title: string };
export type Blog = {
  readonly pages: Collection['pages'];
  readonly posts: readonly Post[];
  readonly listings: readonly Listing[];
};

/** Returns a blog of the collected articles in English, with its home page, numbered pages, tags, years and archive. */
export function blogWithListings(theme: Theme): Blog {
  const posts = readPosts();
  const lists = listsOf(posts);
  const pages = [
    ...posts.map((post) => ({ url: post.url, html: postHtml(post) })),
    ...lists.map(({ url, title, posts: listed }) => ({
      url,
      html: listHtml(title, listed, url.endsWith('/archive/') ? 'titles' : theme),
    })),
  ];
  return {
    pages: pages.map(({ url, html }) => ({ url, content: { ...extractHtml(html, url), language: 'en' } })),
    posts,
    listings: lists.map(({ url, title }) => ({ url, title })),
  };
}

function readPosts(): readonly Post[] {
  const folder = join(MATERIAL, 'articles');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.html.gz'))
    .sort()
    .flatMap((file, i) => {
      const content = extractHtml(gunzipSync(readFileSync(join(folder, file))).toString(), `${ORIGIN}/${file}`);
      const blocks = shownBlocks(content.blocks);
      const paragraphs = blocks.flatMap(({ kind, text }) => (kind === 'text' && text.length > 60 ? [text] : []));
      const whole = paragraphs.join(' ');
      if (paragraphs.length < 4 || detectLanguage(whole) !== 'en') return [];
      const words = whole.toLowerCase();
      return [
        {
          url: `${ORIGIN}/posts/${file.replace('.html.gz', '')}/`,
          title: content.title,
          year: YEARS[i % YEARS.length] ?? 0,
          tags: TAGS.filter((tag) => words.split(tag).length > 3),
          headings: blocks.flatMap(({ kind, text }) => (kind === 'heading' && text !== content.title ? [text] : [])),
          paragraphs,
        },
      ];
    })
    .toSorted((a, b) => b.year - a.year);
}

function listsOf(posts: readonly Post[]): readonly (Listing & { readonly posts: readonly Post[] })[] {
  const numbered = (url: string, title: string, listed: readonly Post[]) =>
    Array.from({ length: Math.ceil(listed.length / POSTS_PER_PAGE) }, (_, page) => ({
      url: page === 0 ? url : `${url}page/${page + 1}/`,
      title: page === 0 ? title : `${title}, page ${page + 1}`,
      posts: listed.slice(page * POSTS_PER_PAGE, (page + 1) * POSTS_PER_PAGE),
    }));
  return [
    ...numbered(`${ORIGIN}/`, 'All posts', posts),
    ...TAGS.flatMap((tag) =>
      numbered(
        `${ORIGIN}/tags/${tag}/`,
        `Posts tagged ${tag}`,
        posts.filter(({ tags }) => tags.includes(tag)),
      ),
    ),
    ...YEARS.map((year) => ({
      url: `${ORIGIN}/${year}/`,
      title: `Archive of ${year}`,
      posts: posts.filter((post) => post.year === year),
    })),
    { url: `${ORIGIN}/archive/`, title: 'Post archive', posts },
  ];
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

const tagLinks = (tags: readonly string[]): readonly string[] =>
  tags.map((tag) => `<a href="/tags/${tag}/">${tag}</a>`);

const framed = (title: string, main: string): string => `<!doctype html><html lang="en"><head>
<title>${escaped(title)} | The Example Blog</title></head><body>
<header><a href="/">The Example Blog</a><nav><a href="/archive/">Archive</a> <a href="/about/">About</a></nav></header>
<main>${main}</main><aside><h3>Tags</h3><p>${tagLinks(TAGS).join(' ')}</p></aside>
<footer>© The Example Blog</footer></body></html>`;

const postHtml = ({ title, year, headings, paragraphs, tags }: Post): string =>
  framed(
    title,
    `<article><h1>${escaped(title)}</h1><time>${year}-05-04</time>${paragraphs
      .map(
        (text, i) =>
          (i % 4 === 3 && headings[(i - 3) / 4] ? `<h2>${escaped(headings[(i - 3) / 4] ?? '')}</h2>` : '') +
          paragraph(text),
      )
      .join('')}<p>Tagged: ${tagLinks(tags).join(', ')}</p></article>`,
  );

const postLink = ({ url, title, year }: Post): string =>
  `<time>${year}-05-04</time> <a href="${url}">${escaped(title)}</a>`;

const listHtml = (title: string, posts: readonly Post[], theme: Theme): string =>
  framed(
    title,
    `<h1>${escaped(title)}</h1>${
      theme === 'titles'
        ? `<ul>${posts.map((post) => `<li>${postLink(post)}</li>`).join('')}</ul>`
        : posts.map((post) => summary(post, theme)).join('')
    }<p><a href="?">Older posts</a></p>`,
  );

const summary = ({ url, title, year, paragraphs }: Post, theme: Theme): string =>
  `<article><h2><a href="${url}">${escaped(title)}</a></h2><time>${year}-05-04</time>${(theme === 'whole'
    ? paragraphs
    : paragraphs.slice(0, 2)
  )
    .map(paragraph)
    .join('')}<a href="${url}">Read more</a></article>`;

/**
 * Returns the share of searches for posts in which a list of posts comes before the post, and the share of lists found
 * by their titles.
 */
export async function listingFigures(theme: Theme, { posts, listings }: Blog, site: IndexedSite): Promise<Figures> {
  const lists = new Set(listings.map(({ url }) => url));
  const queries = posts.flatMap((post) => queriesFor(post).map((text) => ({ text, post })));
  let behind = 0;
  for (const { text, post } of queries) {
    const urls = (await site.ask({ query: text })).results.map(({ url }) => url);
    const at = urls.indexOf(post.url);
    if (urls.slice(0, at < 0 ? urls.length : at).some((url) => lists.has(url))) behind++;
  }
  let found = 0;
  for (const { url, title } of listings) if ((await site.ask({ query: title })).results[0]?.url === url) found++;
  return {
    [`blog, lists of ${theme}: a list before the post`]: shareOf(behind, queries.length),
    [`blog, lists of ${theme}: a list first by its title`]: shareOf(found, listings.length),
  };
}

const shareOf = (part: number, count: number) => ({ count, share: Number((part / count).toFixed(3)) });

/** Returns queries for a post: its title, two words of it, and beginnings of paragraphs. */
function queriesFor({ title, paragraphs }: Post): readonly string[] {
  const first = (text: string, count: number) => text.replaceAll('"', '').split(/\s+/).slice(0, count).join(' ');
  return [first(title, 99), first(title, 2), ...paragraphs.slice(0, 4).map((text) => first(text, 6))];
}
