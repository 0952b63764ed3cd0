import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PageRenderer, RenderResult } from '../../lambdas/domain/ports/page-renderer.ts';
import { type WebSite, webSite } from '../support/web-site.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** The promises of `PageRenderer`. */
export function pageRendererContract(name: string, open: (allowHosts: readonly string[]) => PageRenderer): void {
  describe(`PageRenderer on ${name}`, () => {
    let site: WebSite;
    let renderer: PageRenderer;

    beforeAll(async () => {
      site = await webSite({
        '/text': 'a text of the site',
        '/slow': (_, response) => void setTimeout(() => response.end('a slow answer'), 1200),
        '/events': (_, response) =>
          void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: first\n\n'),
        '/app.js': (_, response) =>
          void response
            .writeHead(200, { 'Content-Type': 'text/javascript' })
            .end('fetch("/text").then((r) => r.text()).then((text) => { document.body.textContent = text; });'),
      });
      renderer = open([site.host]);
    });
    beforeEach(() => {
      site.requests.length = 0;
    });
    afterAll(async () => {
      await renderer.close();
      await site.close();
    });

    const render = (html: string, path = '/page', headers: Readonly<Record<string, string>> = {}) =>
      renderer.render({ url: site.origin + path, headers: { ...HTML, ...headers }, body: Buffer.from(html) });
    const textOf = (result: RenderResult) =>
      result.kind === 'page' ? result.html.replace(/<script.*?<\/script>|<[^<>]*>/gs, '').trim() : result;

    it('shows what scripts and their requests write, and does not request the page itself again', async () => {
      expect(textOf(await render('<body><script src="/app.js"></script>'))).toBe('a text of the site');
      const asked = site.requests.filter((path) => path !== '/favicon.ico'); // the Chrome of a system asks for it
      expect(asked).toEqual(['/app.js', '/text']);
    });

    it('has a font, so that text has a width', async () => {
      const page =
        '<body><b id="t">wide</b><script>document.body.append(t.offsetWidth > 10 ? " text" : " nothing")</script>';
      expect(textOf(await render(page))).toBe('wide text');
    });

    it('waits for changes within half a second', async () => {
      const late = 'setTimeout(() => document.write("first"), 200); setTimeout(() => document.write(" second"), 500);';
      expect(textOf(await render(`<body><script>${late}</script>`))).toBe('first second');
    });

    it('waits for an answer, but not for the end of a stream', async () => {
      const page = `<body><script>
        new EventSource('/events').onmessage = ({ data }) => document.body.append(data + ' event, ');
        fetch('/slow').then((r) => r.text()).then((text) => document.body.append(text));</script>`;
      expect(textOf(await render(page))).toBe('first event, a slow answer');
    });

    it('reads a page that never stops changing', async () => {
      const page =
        '<p>A clock:</p><p id="c"></p><script>let n = 1; setInterval(() => { c.textContent += n++; }, 50)</script>';
      expect(textOf(await render(page))).toMatch(/A clock:\s*123/);
    }, 30_000);

    it('uses the encoding and obeys the headers of the answer', async () => {
      const latin1 = { 'content-type': 'text/html; charset=iso-8859-1' };
      const body = Buffer.from('<p>Häfen</p>', 'latin1');
      expect(textOf(await renderer.render({ url: `${site.origin}/l`, headers: latin1, body }))).toBe('Häfen');
      const unnamed = { 'content-type': 'text/html', 'content-disposition': 'attachment', 'x-title': 'Häfen' };
      const utf8 = { url: `${site.origin}/u`, headers: unnamed, body: Buffer.from('<p>Häfen</p>') };
      expect(textOf(await renderer.render(utf8))).toBe('Häfen');
      const policy = { 'content-security-policy': "script-src 'none'" };
      expect(textOf(await render('<p>kept</p><script>document.body.textContent = "gone"</script>', '/', policy))).toBe(
        'kept',
      );
    });

    it('shows shadow trees, open and closed, with the content of their slots', async () => {
      const page = `<a-card>inside</a-card><script>
        customElements.define('a-card', class extends HTMLElement {
          connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = '<p>before <slot></slot> after</p>'; }
        });</script>`;
      expect(textOf(await render(page))).toBe('before inside after');
    });

    it('returns the address that a script has given the page', async () => {
      expect(await render('<script>history.pushState({}, "", "/shop/list?page=2")</script>')).toMatchObject({
        kind: 'page',
        url: `${site.origin}/shop/list?page=2`,
      });
    });

    it.each([
      ['location', 'location.href = "/other"'],
      ['location later', 'setTimeout(() => location.replace("/other"), 300)'],
      ['a refresh', 'document.write(\'<meta http-equiv="refresh" content="0; url=/other">\')'],
      ['a click', 'document.body.innerHTML = "<a href=/other>x</a>"; document.querySelector("a").click()'],
    ])('answers with the target where the page leads elsewhere by %s, which is not requested', async (_, script) => {
      expect(await render(`<body><script>${script}</script>`)).toEqual({
        kind: 'redirect',
        url: `${site.origin}/other`,
      });
      expect(site.requests).toEqual([]);
    });

    it('stays on a page that loads itself again or sends a form', async () => {
      expect(textOf(await render('<p>kept</p><script>location.reload()</script>'))).toBe('kept');
      const form = '<form method="post" action="/send"></form><script>document.forms[0].submit()</script>';
      expect(textOf(await render(`<p>kept</p>${form}`))).toBe('kept');
      expect(site.requests).toEqual([]);
    });

    it('loads no images, media, fonts and frames', async () => {
      const page = `<p>kept</p><img src="/i.png"><video src="/v.mp4" autoplay></video><iframe src="/f"></iframe>
        <object data="/o"></object><embed src="/e"><link rel="icon" href="/favicon.ico">
        <style>@font-face { font-family: f; src: url(/f.woff2) } p { font-family: f; background: url(/b.png) }</style>`;
      expect(textOf(await render(page))).toContain('kept');
      expect(site.requests).toEqual([]);
    });

    it('shares nothing between pages', async () => {
      const page = `<body><script>document.write([document.cookie, localStorage.seen, 'serviceWorker' in navigator]);
        document.cookie = 'seen=1'; localStorage.seen = 1</script>`;
      expect(textOf(await render(page))).toBe(',,false');
      expect(textOf(await render(page))).toBe(',,false');
    });

    it('shows many pages at once, independently', async () => {
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, i) => render(`<body><script>document.write("page ${i}")</script>`, `/${i}`)),
      );
      expect(results.map(textOf)).toEqual(results.map((_, i) => `page ${i}`));
    }, 30_000);

    it('ends running pages when it is closed', async () => {
      const other = open([site.host]);
      const running = other.render({ url: site.origin, headers: HTML, body: Buffer.from('<script>for(;;);</script>') });
      await new Promise((resolve) => setTimeout(resolve, 500));
      await other.close();
      expect(await running).toMatchObject({ kind: 'failure', reason: 'aborted' });
      const late = await other.render({ url: site.origin, headers: HTML, body: Buffer.from('') });
      expect(late).toMatchObject({ kind: 'failure', reason: 'aborted' });
    });
  });
}
