import { readdir, readFile } from 'node:fs/promises';
import { type LinkRewriter, type MarkdownPage, renderMarkdown } from './demo-markdown.ts';
import { demoShell, escapeHtml, type Sheet } from './demo-shell.ts';
import type { StaticPage } from './static-pages.ts';

const PROJECT = new URL('../../', import.meta.url);
const FIRST = 'README.md';
/**
 * The folders of the demo. Decisions and the changelog are left out: they would be found before the guide, which has
 * the answers for users.
 */
const FOLDERS = ['docs/guide/', 'docs/'];
const LEFT_OUT = 'docs/benchmarks.md';
/** The slug of the guide's table of contents. */
const CONTENTS = 'guide';
/** Matches file names that need no encoding in a URL. */
const DOCUMENT = /^\w[\w.-]*\.md$/i;
/** A base URL for resolving links. It is never requested. */
const ROOT = 'http://project.invalid/';

/** A Markdown file: its path in the project, and the path of its page below `/demo/`. */
type Source = { readonly file: string; readonly slug: string };

/**
 * Returns a page of the documentation. Undefined for an unknown path: only listed files have pages, so no other file is
 * served.
 */
export type DemoPage = (path: string) => Promise<(StaticPage & { readonly body: string }) | undefined>;

/** Renders each page at its first request and caches it. The files are listed once, at the start. */
export function demoPages(project: URL = PROJECT): DemoPage {
  const sources = listSources(project);
  const sheets = new Map<Source, Promise<Sheet | undefined>>();
  const sheetOf = (source: Source): Promise<Sheet | undefined> => {
    const sheet = sheets.get(source) ?? sources.then((all) => pageSheet(source, all, project));
    sheets.set(source, sheet);
    return sheet;
  };
  let index: Promise<Sheet> | undefined;
  return async (path) => {
    const all = await sources;
    const source = all.find(({ slug }) => path === pathOf(slug));
    if (!source && path !== '/demo' && path !== '/demo/') return undefined;
    index ??= source ? undefined : indexSheet(all.map(sheetOf));
    const sheet = await (source ? sheetOf(source) : index);
    return sheet && { contentType: 'text/html; charset=utf-8', body: demoShell(sheet) };
  };
}

const pathOf = (slug: string): string => `/demo/${slug}`;

/** Lists the files in reading order. Leaves out symbolic links, and the second of two files with the same slug. */
async function listSources(project: URL): Promise<readonly Source[]> {
  const root = new Set(await filesIn(project));
  const docs = await Promise.all(FOLDERS.map((folder) => documentsIn(folder, project)));
  const files = [...(root.has(FIRST) ? [FIRST] : []), ...docs.flat().filter((file) => file !== LEFT_OUT)];
  const bySlug = new Map<string, Source>();
  for (const file of files) {
    const slug = slugOf(file);
    if (!bySlug.has(slug)) bySlug.set(slug, { file, slug });
  }
  return [...bySlug.values()];
}

async function documentsIn(folder: string, project: URL): Promise<readonly string[]> {
  const names = (await filesIn(new URL(folder, project))).filter((name) => DOCUMENT.test(name)).sort();
  const isReadme = (name: string): boolean => name === 'README.md';
  return [...names.filter(isReadme), ...names.filter((name) => !isReadme(name))].map((name) => folder + name);
}

async function filesIn(folder: URL): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Returns the slug of a file: `data-model` for `docs/Data-model.md`, `guide` for `docs/guide/README.md`. */
const slugOf = (file: string): string =>
  file
    .replace(/^docs\//, '')
    .replace(/(?<=.)\/README\.md$|\.md$/i, '')
    .toLowerCase();

async function pageSheet(source: Source, sources: readonly Source[], project: URL): Promise<Sheet | undefined> {
  const page = await render(source, sources, project);
  if (!page) return undefined;
  const title = page.title ?? source.slug;
  const heading = page.title === undefined ? `<h1>${escapeHtml(title)}</h1>\n` : '';
  const isContents = source.slug === CONTENTS;
  return { ...page, path: pathOf(source.slug), title, html: heading + page.html, isContents };
}

async function indexSheet(pages: readonly Promise<Sheet | undefined>[]): Promise<Sheet> {
  const sheets = await Promise.all(pages);
  const items = sheets.filter((sheet) => sheet !== undefined).map(indexItem);
  const lead = 'How this project is used and run. These pages are also what the demo site searches.';
  const html = `<h1>Documentation</h1>\n<p>${lead}</p>\n<ul class="index">\n${items.join('')}</ul>\n`;
  return { path: '/demo/', title: 'Documentation', lead, chapters: [], html, isContents: true };
}

const indexItem = ({ path, title, lead }: Sheet): string =>
  `<li><a href="${path}">${escapeHtml(title)}</a>${lead && `\n<p>${escapeHtml(lead)}</p>`}</li>\n`;

/** Renders a file. Returns undefined if the file was deleted after it was listed. */
async function render(source: Source, sources: readonly Source[], project: URL): Promise<MarkdownPage | undefined> {
  const markdown = await readFile(new URL(source.file, project), 'utf8').catch(() => undefined);
  return markdown === undefined ? undefined : renderMarkdown(markdown, rewriterFor(source, sources));
}

/** Makes links between listed files lead to their pages. Removes links to other files of the project. */
function rewriterFor({ file }: Source, sources: readonly Source[]): LinkRewriter {
  return (href) => {
    const target = URL.parse(href, new URL(file, ROOT).href);
    if (!target) return undefined;
    if (!target.href.startsWith(ROOT)) return /^(?:https?|mailto):$/.test(target.protocol) ? target.href : undefined;
    const linked = sources.find((source) => new URL(source.file, ROOT).pathname === target.pathname);
    return linked && pathOf(linked.slug) + target.hash;
  };
}
