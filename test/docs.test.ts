import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from '../local/server/demo-markdown.ts';

const ROOT = new URL('../', import.meta.url);
const DECISIONS = new URL('docs/decisions/', ROOT);
/** `npm run build` writes it. */
const BUILT = /^packages\/[\w-]+\/dist(?:\/|$)/;
/** Documents name code files relative to one of these. */
const CODE_FOLDERS = ['', 'lambdas/', 'lambdas/text/', 'lambdas/domain/', 'lambdas/domain/crawl/'];

const documents = ['', 'docs/', 'docs/guide/', 'docs/decisions/', 'lambdas/text/'].flatMap((folder) =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name),
);
const textOf = (file: string | URL): string => readFileSync(new URL(file, ROOT), 'utf8');

/** The relative links of a document, resolved. */
function linksOf(document: string): readonly URL[] {
  const links: URL[] = [];
  renderMarkdown(textOf(document), (href) => {
    if (!/^[a-z]+:/i.test(href)) links.push(new URL(href, new URL(document, ROOT)));
    return undefined;
  });
  return links;
}

const hasHeading = (file: URL, id: string): boolean =>
  renderMarkdown(textOf(file), () => undefined).html.includes(` id="${id}"`);

describe('the documents', () => {
  it.each(documents)('%s links only to files and headings that exist', (document) => {
    for (const link of linksOf(document)) {
      const file = new URL(link.pathname, link);
      const isThere = existsSync(file) && (link.hash === '' || hasHeading(file, link.hash.slice(1)));
      expect([link.href, isThere]).toEqual([link.href, true]);
    }
  });

  it.each(documents)('%s names only files and folders that exist', (document) => {
    const named = textOf(document).matchAll(
      /`((?:bench|bin|docs|embedder|lambdas|lib|local|packages|test|web)\/[\w./-]*)`/g,
    );
    const paths = Array.from(named, ([, path = '']) => path);
    expect(paths.filter((path) => !BUILT.test(path) && !existsSync(new URL(path, ROOT)))).toEqual([]);
  });

  it.each(documents)('%s names only code files that exist', (document) => {
    const named = textOf(document).matchAll(/`([\w-]+(?:\/[\w.-]+)*\.ts)`/g);
    const paths = Array.from(named, ([, path = '']) => path);
    expect(paths.filter((path) => !CODE_FOLDERS.some((folder) => existsSync(new URL(folder + path, ROOT))))).toEqual(
      [],
    );
  });

  it.each(documents)('%s names only scripts and benches that exist', (document) => {
    const { scripts } = JSON.parse(textOf('package.json'));
    const named = textOf(document).matchAll(/npm run (?:--silent )?([\w:-]+)(?: -- ([\w-]+))?/g);
    for (const [command, script = '', name] of named) {
      expect([command, Object.keys(scripts)]).toEqual([command, expect.arrayContaining([script])]);
      const isThere = script !== 'bench' || name === 'NAME' || existsSync(new URL(`bench/${name}.ts`, ROOT));
      expect([command, isThere]).toEqual([command, true]);
    }
  });

  it('the documents describe every folder of the repository, of lambdas and of the domain', () => {
    const foldersOf = (folder: string) =>
      readdirSync(new URL(folder, ROOT), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !/\.|^(?:node_modules|dist|coverage)$/.test(entry.name))
        .map(({ name }) => `${folder}${name}/`);
    const map = textOf('README.md').split('## Where things are')[1] ?? '';
    expect([...foldersOf(''), ...foldersOf('lambdas/')].filter((folder) => !map.includes(`\`${folder}`))).toEqual([]);
    const rooms = /## Rooms of the domain.+?\n## /s.exec(textOf('docs/architecture.md'))?.[0] ?? '';
    const isThere = (folder: string) => rooms.includes(`\`${folder.split('/').at(-2)}\``);
    expect(foldersOf('lambdas/domain/').filter((folder) => !isThere(folder))).toEqual([]);
  });

  it('the documents name one reading order', () => {
    const orders = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md'].map(
      (document) => /^1\. `README\.md`[\s\S]+?(?=\n\n)/m.exec(textOf(document))?.[0],
    );
    expect(orders[0]).toBeDefined();
    expect(orders).toEqual([orders[0], orders[0], orders[0]]);
  });

  it.each([
    ['README.md', 130],
    ['docs/architecture.md', 200],
    ['docs/benchmarks.md', 200],
  ])('%s has at most %d lines', (document, limit) => {
    expect(textOf(document).trimEnd().split('\n').length).toBeLessThanOrEqual(limit);
  });

  it('the document of dependencies gives a reason for each dependency, and for no other', () => {
    const folders = ['', 'test/client/', 'test/client/generators/', 'test/client/adapters/', 'test/dynoxide/'];
    const packages = folders.flatMap((folder) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf(`${folder}package.json`));
      return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    });
    const named = new Set(packages);
    const rows = textOf('docs/decisions/001-dependencies.md').matchAll(/^\| (`.+?`) \|/gm);
    const explained = Array.from(rows, ([, names = '']) => names.replaceAll('`', '').split(', ')).flat();
    expect(explained.toSorted()).toEqual([...named].toSorted());
  });
});

describe('the decisions', () => {
  const pages = readdirSync(DECISIONS).filter((name) => name !== 'README.md');

  it('all decisions are in the index, by their titles', () => {
    const index = textOf('docs/decisions/README.md');
    for (const page of pages) {
      const title = /^# (.+)$/m.exec(textOf(new URL(page, DECISIONS)))?.[1];
      expect(index).toContain(`[${title}](${page})`);
    }
  });

  it('there are at most 30 decisions, numbered without gaps', () => {
    const numbers = pages.map((page) => Number(page.slice(0, 3))).toSorted((a, b) => a - b);
    expect(numbers).toEqual(pages.map((_, i) => i + 1));
    expect(pages.length).toBeLessThanOrEqual(30);
  });

  it('every decision that code links to exists', () => {
    const folders = ['bench', 'bin', 'lambdas', 'lib', 'local', 'packages', 'test', 'web'];
    const code = folders.flatMap((folder) =>
      readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.[jt]s$/.test(file) && !file.includes('node_modules'))
        .map((file) => `${folder}/${file}`),
    );
    const links = code.flatMap((file) =>
      Array.from(textOf(file).matchAll(/(?<!project\/)docs\/decisions\/(\d[\w-]*(?:\.md)?)/g), ([, page = '']) => ({
        file,
        page,
      })),
    );
    expect(links.length).toBeGreaterThan(12);
    expect(links.filter(({ page }) => !pages.includes(page))).toEqual([]);
  });

  it.each(pages)('%s has a status, a date, context, decision, alternatives and consequences', (page) => {
    const text = textOf(new URL(page, DECISIONS));
    expect(text).toMatch(/^# \d{3}\. .+\n\n- Status: .+\n- Date: 20\d\d-\d\d-\d\d/);
    const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(['Context', 'Decision', 'Alternatives', 'Consequences']);
  });
});
