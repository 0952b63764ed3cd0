import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chromiumRenderer } from '../../../lambdas/connectors/chromium/page-renderer.ts';
import type { Resolve } from '../../../lambdas/connectors/fetcher/guarded-connector.ts';
import type { PageRenderer, RenderResult } from '../../../lambdas/domain/ports/page-renderer.ts';
import { type CountingServer, CountingServers } from '../../support/counting-server.ts';
import { CHROMIUM_PATH, hasBrowser } from '../../support/has-browser.ts';
import { type WebSite, webSite } from '../../support/web-site.ts';

/** Long enough for a busy machine: filling the memory takes seconds of its processor. */
const PAGE_TIMEOUT_MS = 15_000;
const ENDLESS = ['for (;;);', 'setTimeout(() => { for (;;); }, 300)', 'for (;;) alert("here");'];
const CALM = '<body><script>document.write("calm")</script>';
const page = (script: string) => `<body><p>kept</p><script>${script}</script>`;

/** A name that has a public address when it is first looked up, and a private one afterwards. */
function changing(): Resolve {
  const answers = ['93.184.215.14'];
  return (_name, _options, callback) => callback(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]);
}

/** Ways of a page to reach a URL: its script has `url`. */
const WAYS: Readonly<Record<string, string>> = {
  fetch: 'fetch(url, { mode: "no-cors" })',
  XMLHttpRequest: 'const r = new XMLHttpRequest(); r.open("GET", url); r.send()',
  script: 'document.body.append(Object.assign(document.createElement("script"), { src: url }))',
  'style sheet':
    'document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: url }))',
  preload: `for (const rel of ["preload", "prefetch", "preconnect", "modulepreload", "manifest", "prerender"])
    document.head.append(Object.assign(document.createElement("link"), { rel, as: "fetch", href: url }))`,
  module: 'import(url)',
  worker: 'new Worker(URL.createObjectURL(new Blob(["fetch(\\"" + url + "\\", { mode: \\"no-cors\\" })"])))',
  beacon: 'navigator.sendBeacon(url, "x")',
  'event source': 'new EventSource(url)',
  'web socket': 'new WebSocket(url.replace("http", "ws"))',
  transport: 'new WebTransport(url.replace("http:", "https:"))',
  form: `const f = Object.assign(document.createElement("form"), { action: url, method: "post" });
    document.body.append(f); f.submit()`,
  frame: 'document.body.append(Object.assign(document.createElement("iframe"), { src: url }))',
  object: 'document.body.append(Object.assign(document.createElement("object"), { data: url }))',
  window: 'open(url)',
  'link to a window': `const a = Object.assign(document.createElement("a"), { href: url, target: "_blank" });
    document.body.append(a); a.click()`,
};

const SCHEMES = ['file:///etc/passwd', 'view-source:http://127.0.0.1/', 'chrome://version', 'data:text/html,other'];

/** The browsers that this process has started. */
const browsers = (): readonly number[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const parent = /\nPPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      const isBrowser = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging-pipe');
      return parent === String(process.pid) && isBrowser ? [Number(pid)] : [];
    } catch {
      return []; // it has just ended, or is no process
    }
  });
const scratchFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`site-search-browser-${process.pid}-`));

(hasBrowser ? describe : describe.skip)('the browser', () => {
  let site: WebSite;
  let secret: CountingServer;
  let renderer: PageRenderer;
  const servers = new CountingServers();

  beforeAll(async () => {
    site = await webSite({});
    secret = await servers.http((_, response) => response.end('secret'));
    renderer = chromiumRenderer({
      allowHosts: [site.host],
      contact: undefined,
      pageTimeoutMs: PAGE_TIMEOUT_MS,
      resolve: changing(),
      path: CHROMIUM_PATH,
    });
  });
  beforeEach(() => {
    site.requests.length = 0;
  });
  afterAll(async () => {
    await renderer.close();
    await site.close();
    servers.close();
  });

  const render = (html: string, path = '/page') =>
    renderer.render({
      url: site.origin + path,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: Buffer.from(html),
    });
  const textOf = (result: RenderResult) =>
    result.kind === 'page' ? result.html.replace(/<script.*?<\/script>|<[^<>]*>/gs, '').trim() : result;

  it('pages that never end are ended alone', async () => {
    const endless = ENDLESS.map((script) => render(page(script)));
    expect(textOf(await render(CALM))).toBe('calm');
    expect(await Promise.all(endless)).toEqual(ENDLESS.map(() => expect.objectContaining({ reason: 'timeout' })));
    expect(textOf(await render(CALM))).toBe('calm');
  }, 60_000);

  describe('a page is ended alone if it', () => {
    afterEach(async () => {
      expect(textOf(await render(CALM))).toBe('calm');
    });

    it.each([
      ['fills the memory of scripts', 'const a = []; for (;;) a.push(new Array(1e6).fill(a.length + 0.5));', 'crashed'],
      ['fills memory beside scripts', 'const a = []; for (;;) a.push(new Uint8Array(2e7).fill(1));', 'crashed'],
      ['becomes too large', 'document.body.setAttribute("data-x", "x".repeat(11e6))', 'too_large'],
      ['sends too many requests', 'for (let i = 0; i < 1100; i++) fetch("/" + i)', 'too_large'],
    ])(
      '%s',
      async (_, script, reason) => {
        const other = render(CALM);
        expect(await render(page(script))).toMatchObject({ kind: 'failure', reason });
        expect(textOf(await other)).toBe('calm');
      },
      60_000,
    );
  });

  it('reads a page with dialogs', async () => {
    const script =
      'onbeforeunload = () => "stay"; alert(1); confirm(2); document.body.append(prompt(3) ?? " and read")';
    expect(textOf(await render(page(script)))).toBe('kept and read');
  });

  it('continues after a page with 10,000 frames, and requests none of them', async () => {
    const one = 'Object.assign(document.createElement("iframe"), { src: "/frame/" + i })';
    const result = await render(page(`for (let i = 0; i < 10_000; i++) document.body.append(${one})`));
    expect(['kept', 'timeout', 'crashed', 'too_large']).toContain(
      result.kind === 'failure' ? result.reason : textOf(result),
    );
    expect(site.requests).toEqual([]);
    expect(textOf(await render(CALM))).toBe('calm');
  }, 60_000);

  it('a page reaches no private address in any way, even by a name that changes its address', async () => {
    const { port } = secret;
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `rebound.example:${port}`];
    const results = await Promise.all(
      Object.entries(WAYS).map(async ([way, script]) => {
        const each = `for (const url of ${JSON.stringify(hosts.map((host) => `http://${host}/`))}) { try { ${script} } catch {} }`;
        return [way, textOf(await render(page(each)))];
      }),
    );
    expect(Object.fromEntries(results)).toEqual(Object.fromEntries(Object.keys(WAYS).map((way) => [way, 'kept'])));
    expect(secret.connections).toBe(0);
  }, 60_000);

  it('a script that leads to a private address gives that address, without a request to it', async () => {
    const url = `http://127.0.0.1:${secret.port}/admin`;
    expect(await render(page(`location = "${url}"`))).toEqual({ kind: 'redirect', url });
    expect(secret.connections).toBe(0);
  });

  it('sends no datagram for WebRTC, from the page and from its frames', async () => {
    let received = 0;
    const server = createSocket('udp4').on('message', () => {
      received += 1;
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const call = (scope: string) => `try {
        const c = new ${scope}.RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${server.address().port}" }] });
        c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o)); } catch {}`;
    const frame = `const f = document.createElement("iframe"); document.body.append(f); ${call('f.contentWindow')}`;
    await render(page(`${call('window')} ${frame} setTimeout(() => document.body.append("later"), 450)`));
    server.close();
    expect(received).toBe(0);
  });

  it('a page that leads to no web address stays, and sees no files', async () => {
    const results = await Promise.all(
      SCHEMES.map((url) => {
        const read = `fetch('${url}').then(async (r) => document.body.append(await r.text())).catch(() => {})`;
        return render(
          page(`setTimeout(() => { location.href = '${url}'; }, 50); if (!'${url}'.startsWith('data')) ${read}`),
        );
      }),
    );
    expect(results.map(textOf)).toEqual(SCHEMES.map(() => 'kept'));
  }, 60_000);

  it('pages during which the browser was killed are shown again', async () => {
    const slow = '<body><script>setTimeout(() => document.write("calm"), 400)</script>';
    await render(CALM);
    const [pid = 0] = browsers();
    const running = Array.from({ length: 3 }, (_, i) => render(slow, `/${i}`));
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.kill(pid, 'SIGKILL');
    expect((await Promise.all(running)).map(textOf)).toEqual(running.map(() => 'calm'));
    expect(browsers()).toHaveLength(1);
    expect(browsers()).not.toContain(pid);
  }, 60_000);

  it('a browser makes no core dumps, and has one folder for its files, which is removed with it', async () => {
    await render(CALM);
    const [pid] = browsers();
    expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max core file size\s+0\s+0/);
    expect(scratchFolders()).toHaveLength(1);
    await renderer.close();
    expect(browsers()).toEqual([]);
    expect(scratchFolders()).toEqual([]);
  });
});
