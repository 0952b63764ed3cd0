import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { renderMarkdown } from '../../../local/server/demo-markdown.ts';
import { type DemoPage, demoPages } from '../../../local/server/demo-pages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const project = pathToFileURL(`${folder.path}/project/`);
let demoPage: DemoPage;
const bodyOf = async (path: string) => (await demoPage(path))?.body ?? '';

type Tag = { readonly name: string; readonly attributes: Readonly<Record<string, string>> };

function tagsOf(html: string): readonly Tag[] {
  const tags: Tag[] = [];
  const parser = new Parser({ onopentag: (name, attributes) => void tags.push({ name, attributes }) });
  parser.end(html);
  return tags;
}

const linksIn = (html: string) =>
  tagsOf(html).flatMap(({ name, attributes }) => (name === 'a' ? [attributes.href] : []));

beforeAll(async () => {
  const files = {
    'secret.md': '# Secret',
    'project/package.json': '{}',
    'project/README.md': [
      '# A & *B*\n',
      'See [how](docs/Short.md#in-short), [code](lib/x.ts), [out](https://example.com/?a&b),',
      '[up](../secret.md), [bad](javascript:alert(1)) and [below](#below).\n',
      '## Below\n\n## Below\n\n## `End` of it!\n',
    ].join('\n'),
    'project/docs/Short.md': '[Back](../README.md)\n\n| a | b |\n|---|---|\n| 1 | <b>2</b> |\n',
    'project/docs/openapi.json': '{}',
    'project/docs/guide/README.md': '# All of it\n\n[One](one.md)\n',
    'project/docs/guide/one.md': '# One\n\n[All](README.md), [in short](../Short.md), [why](../decisions/001-one.md)\n',
    'project/docs/benchmarks.md': '# Benchmarks',
    'project/docs/decisions/001-one.md': '# Decision',
  };
  await mkdir(join(folder.path, 'project/docs/decisions'), { recursive: true });
  await mkdir(join(folder.path, 'project/docs/guide'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  await symlink(join(folder.path, 'secret.md'), join(folder.path, 'project/docs/secret.md'));
  demoPage = demoPages(project);
});
afterAll(folder.remove);

describe('the demo pages', () => {
  it('link all documents from the first page by their titles, in reading order', async () => {
    const html = await bodyOf('/demo/');
    expect([...html.matchAll(/<a href="(\/demo\/[^"]+)">([^<]*)/g)].map((match) => match.slice(1))).toEqual([
      ['/demo/readme', 'A &amp; B'],
      ['/demo/guide', 'All of it'],
      ['/demo/guide/one', 'One'],
      ['/demo/short', 'short'],
    ]);
    expect(await bodyOf('/demo')).toBe(html);
  });

  it('are complete documents, titled by their first heading or else by their name', async () => {
    const html = await bodyOf('/demo/readme');
    expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
    expect(html).toContain('<title>A &amp; B</title>');
    expect(html).toContain('<h1 id="a--b">A &amp; <em>B</em></h1>');
    expect(tagsOf(html).filter(({ name }) => name === 'main')).toHaveLength(1);
    const short = await bodyOf('/demo/short');
    expect(short).toContain('<title>short</title>');
    expect(short).toContain('<h1>short</h1>');
  });

  it('give headings the same ids as GitHub, and list them', async () => {
    const html = await bodyOf('/demo/readme');
    const ids = tagsOf(html).flatMap(({ name, attributes }) => (name === 'h2' ? [attributes.id] : []));
    expect(ids).toEqual(['below', 'below-1', 'end-of-it']);
    expect(linksIn(html)).toEqual(expect.arrayContaining(['#below', '#below-1', '#end-of-it']));
  });

  it('keep links between documents under /demo/, and show other links of the project as text', async () => {
    const main = (await bodyOf('/demo/readme')).split('<main>')[1] ?? '';
    expect(linksIn(main)).toEqual(['/demo/short#in-short', 'https://example.com/?a&b', '/demo/readme#below']);
    expect(main).toContain('code');
    expect(linksIn(await bodyOf('/demo/short'))).toContain('/demo/readme');
    expect(linksIn(await bodyOf('/demo/guide'))).toContain('/demo/guide/one');
    const one = (await bodyOf('/demo/guide/one')).split('<main>')[1] ?? '';
    expect(linksIn(one)).toEqual(['/demo/guide', '/demo/short']);
  });

  it('link only existing pages', async () => {
    const links = linksIn(await bodyOf('/demo/readme')).filter((link) => link?.startsWith('/demo/'));
    for (const link of links) expect(await demoPage(link?.split('#')[0] ?? '')).toBeDefined();
  });

  it.each([
    '/demo/unknown',
    '/demo/secret',
    '/demo/README',
    '/demo/readme/',
    '/demo/package.json',
    '/demo/openapi',
    '/demo/../secret',
    '/demo/..%2fsecret',
    '/demo/%2e%2e/%2e%2e/secret',
    '/demo/docs/../../secret',
    '/demo/guide%00',
    '/demo/guide/',
    '/demo/guide/readme',
    '/demo/one',
    '/demo/decisions/001-one',
    '/demo/benchmarks',
    '/demo//',
    '/demonstration',
    '/',
    '',
  ])('has nothing at %j', async (path) => {
    expect(await demoPage(path)).toBeUndefined();
  });

  it('are rendered once: a file that changes later changes no page', async () => {
    const own = pathToFileURL(`${folder.path}/changing/`);
    await mkdir(own);
    await writeFile(new URL('README.md', own), '# Before');
    const page = demoPages(own);
    const [index, readme] = [await page('/demo/'), await page('/demo/readme')];
    await writeFile(new URL('README.md', own), '# After');
    await writeFile(new URL('CHANGELOG.md', own), '# More');
    expect(await Promise.all([page('/demo/'), page('/demo/readme')])).toEqual([index, readme]);
    expect(await page('/demo/changelog')).toBeUndefined();
  });

  it('has a first page even without documents', async () => {
    expect((await demoPages(pathToFileURL(join(folder.path, 'nowhere/')))('/demo/'))?.body).toContain('<main>');
  });

  it('renders every document of this project without inline style or script', async () => {
    const demoPage = demoPages();
    const links = linksIn((await demoPage('/demo/'))?.body ?? '').filter((link) => link?.startsWith('/demo/'));
    for (const link of links) {
      const page = await demoPage(link ?? '');
      expect(page?.contentType).toBe('text/html; charset=utf-8');
      const tags = tagsOf(page?.body ?? '');
      expect(tags.filter(({ name, attributes }) => /^(?:script|style)$/.test(name) || 'style' in attributes)).toEqual(
        [],
      );
    }
  });
});

describe('rendering Markdown', () => {
  const harmless =
    /^(?:h[1-6]|p|a|em|strong|del|code|pre|ul|ol|li|input|blockquote|hr|br|div|table|thead|tbody|tr|th|td)$/;
  const attributes = ['id', 'href', 'class', 'align', 'start', 'type', 'disabled', 'checked', 'tabindex'];
  const parts = [
    ...[
      '<script>',
      '</script>',
      '<img src=x onerror=alert(1)',
      '<svg/onload=x>',
      '<pre>',
      '</pre>',
      '<div>',
      '<a href="x">',
    ],
    ...['<!--', '-->', '<![CDATA[', '<?', '&lt;', '&#60;', '"', "'", '>', '<', '`', '```', '**', '_', '~~', '\\'],
    ...[
      '[a](javascript:x)',
      '[a](<x" onclick="y>)',
      '![',
      '](',
      ')',
      '[',
      ']: ',
      'http://a"b',
      'x\n---\n',
      '# ',
      '> ',
      '- ',
    ],
    ...['\n', '\n\n', '    ', 'text', 'a | b\n--|--\n', ' | '],
  ];
  const markdown = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((chosen) => chosen.join(''));

  it('makes only elements and attributes of Markdown, from any text', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string({ unit: 'binary', maxLength: 60 })), (text) => {
        for (const tag of tagsOf(renderMarkdown(text, () => '"><script>').html)) {
          expect(tag.name).toMatch(harmless);
          expect(Object.keys(tag.attributes).filter((name) => !attributes.includes(name))).toEqual([]);
        }
      }),
    );
  });

  it('shows raw HTML as text', () => {
    expect(renderMarkdown('a <b>c</b>\n\n<div>\nd\n</div>', () => undefined).html).toBe(
      '<p>a &lt;b&gt;c&lt;/b&gt;</p>\n<p>&lt;div&gt;\nd\n&lt;/div&gt;</p>\n',
    );
  });

  it('shows the alt text of an image', () => {
    expect(renderMarkdown('![a <map>](x.png)', () => undefined).html).toBe('<p>a &lt;map&gt;</p>\n');
  });

  it('takes the start of the first paragraph as the lead, cut between words', () => {
    expect(renderMarkdown('# T\n\nOne *two*\nthree.\n\nFour.', () => undefined).lead).toBe('One two three.');
    const { lead } = renderMarkdown('word '.repeat(100), () => undefined);
    expect(lead).toMatch(/^(?:word )+…$/);
    expect(lead.length).toBeLessThanOrEqual(202);
  });
});
