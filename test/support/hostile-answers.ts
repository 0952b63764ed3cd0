import type { Socket } from 'node:net';
import zlib from 'node:zlib';
import type { RawAnswer } from './raw-server.ts';

/** An answer, and the title or the outcome and reason that a crawl must record for it. */
export type HostileCase = {
  readonly name: string;
  readonly answer: RawAnswer;
  readonly ends: { readonly title: string } | { readonly outcome: string; readonly reason: string };
};

type Bytes = string | Uint8Array;

const failed = (reason: string) => ({ outcome: 'failed', reason }) as const;
const skipped = (reason: string) => ({ outcome: 'skipped', reason }) as const;
const BAD = failed('bad_content');
const LOST = failed('connection');
const HTML = 'Content-Type: text/html; charset=utf-8';

/** An answer with status 200, unless the first line is a status line. */
function answer(headers: readonly string[], body: Bytes = ''): Uint8Array {
  const status = headers[0]?.startsWith('HTTP/') ? [] : ['HTTP/1.1 200 OK'];
  return Buffer.concat([Buffer.from(`${[...status, ...headers].join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

const page = (title: string, head = ''): string =>
  `<!doctype html><html><head>${head}<title>${title}</title></head><body><main><h1>${title}</h1>` +
  `<p>Here ${title} is described at some length, and nowhere else.</p></main></body></html>`;

const cases = (
  rows: readonly (readonly [name: string, answer: RawAnswer, ends: HostileCase['ends'] | string])[],
): readonly HostileCase[] =>
  rows.map(([name, given, ends]) => ({
    name,
    answer: given,
    ends: typeof ends === 'string' ? { title: ends } : ends,
  }));

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const bytesPage = (title: readonly number[], head = '') => latin1(page('|', head).replaceAll('|', latin1Text(title)));
const latin1Text = (bytes: readonly number[]) => Buffer.from(bytes).toString('latin1');

const TESUTO = [0x83, 0x65, 0x83, 0x58, 0x83, 0x67];
const ZHONG = [0xd6, 0xd0, 0xce, 0xc4];
const EMOJI = [0x94, 0x39, 0xda, 0x33];
const QUOTED = [0x93, 0x61, 0x94, 0xe9];

export const CHARSETS = cases([
  ['a BOM of UTF-8', answer(['Content-Type: text/html; charset=koi8-r'], `\ufeff${page('é by mark')}`), 'é by mark'],
  ['a BOM of UTF-16', answer(['Content-Type: text/html'], utf16(page('é small end'))), 'é small end'],
  ['a BOM of UTF-16 BE', answer(['Content-Type: text/html'], utf16(page('é big end')).swap16()), 'é big end'],
  [
    'UTF-16 by header',
    answer(['Content-Type: text/html; charset=utf-16le'], utf16(page('é named')).subarray(2)),
    'é named',
  ],
  ['windows-1252 by header', answer(['Content-Type: text/html; charset=windows-1252'], bytesPage(QUOTED)), '“a”é'],
  [
    'latin-1 by header',
    answer(['Content-Type: text/html;Charset="ISO-8859-1"'], bytesPage([...QUOTED, 0x31])),
    '“a”é1',
  ],
  [
    'windows-1252 by meta',
    answer(['Content-Type: text/html'], bytesPage([...QUOTED, 0x32], '<meta charset=windows-1252>')),
    '“a”é2',
  ],
  ['windows-1252 undeclared', answer(['Content-Type: text/html'], bytesPage([...QUOTED, 0x33])), '“a”é3'],
  ['Shift_JIS by header', answer(['Content-Type: text/html; charset=Shift_JIS'], bytesPage(TESUTO)), 'テスト'],
  [
    'Shift_JIS by meta',
    answer(
      ['Content-Type: text/html'],
      bytesPage([...TESUTO, 0x31], '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'),
    ),
    'テスト1',
  ],
  [
    'GB18030 by header',
    answer(['Content-Type: text/html; charset=GB18030'], bytesPage([...ZHONG, ...EMOJI])),
    '中文💩',
  ],
  ['GB2312 by meta', answer(['Content-Type: text/html'], bytesPage(ZHONG, '<meta charset="gb2312">')), '中文'],
  ['EUC-KR by header', answer(['Content-Type: text/html; charset=euc-kr'], bytesPage([0xc7, 0xd1])), '한'],
  [
    'a header against the page',
    answer(['Content-Type: text/html; charset=windows-1251'], bytesPage([0xc6, 0xc6], '<meta charset=utf-8>')),
    'ЖЖ',
  ],
  [
    'an unknown header',
    answer(['Content-Type: text/html; charset=nonsense'], bytesPage([0xc6], '<meta charset=windows-1251>')),
    'Ж',
  ],
  [
    'a false claim of UTF-16',
    answer(['Content-Type: text/html'], page('é no UTF-16', '<meta charset="utf-16">')),
    'é no UTF-16',
  ],
  ['UTF-8 undeclared', answer(['Content-Type: text/html'], page('é bare')), 'é bare'],
  ['broken UTF-8', answer([HTML], Buffer.concat([latin1('\xfe'), Buffer.from(page('é repaired'))])), 'é repaired'],
]);

const packed = (coding: string, body: Uint8Array) => answer([HTML, `Content-Encoding: ${coding}`], body);
const zeros = Buffer.alloc(20_000_000, ' ');
const bombs = { gzip: zlib.gzipSync(zeros), zstd: zlib.zstdCompressSync(zeros) };
const brotliBomb = zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });

export const CODINGS = cases([
  ['gzip', packed('gzip', zlib.gzipSync(page('in gzip'))), 'in gzip'],
  ['x-gzip', packed('X-GZip', zlib.gzipSync(page('in x-gzip'))), 'in x-gzip'],
  ['deflate', packed('deflate', zlib.deflateSync(page('in deflate'))), 'in deflate'],
  ['bare deflate', packed('deflate', zlib.deflateRawSync(page('in bare deflate'))), 'in bare deflate'],
  ['br', packed('br', zlib.brotliCompressSync(page('in br'))), 'in br'],
  ['zstd', packed('zstd', zlib.zstdCompressSync(page('in zstd'))), 'in zstd'],
  ['two codings', packed('gzip, br', zlib.brotliCompressSync(zlib.gzipSync(page('in two')))), 'in two'],
  [
    'members',
    packed('gzip', Buffer.concat([zlib.gzipSync(page('in members')), zlib.gzipSync('<p>more')])),
    'in members',
  ],
  ['gzip and more', packed('gzip', Buffer.concat([zlib.gzipSync(page('and more')), Buffer.alloc(999)])), 'and more'],
  ['identity', packed('identity', Buffer.from(page('in nothing'))), 'in nothing'],
  ['an empty gzip', packed('gzip', Buffer.alloc(0)), skipped('empty')],
  ['an unsupported coding', packed('compress', Buffer.from(page('compress'))), BAD],
  ['a false label', packed('gzip', Buffer.from(page('false label'))), BAD],
  ['a false label of br', packed('br', zlib.gzipSync(page('false label'))), BAD],
  ['half a gzip', packed('gzip', zlib.gzipSync(page('half')).subarray(0, 60)), BAD],
  [
    'a gzip with a wrong checksum',
    packed('gzip', Buffer.concat([zlib.gzipSync(page('sum')).subarray(0, -8), Buffer.alloc(8)])),
    BAD,
  ],
  ['three codings', packed('gzip, gzip, gzip', zlib.gzipSync(zlib.gzipSync(zlib.gzipSync('a')))), BAD],
  ['a bomb in gzip', packed('gzip', bombs.gzip), failed('too_large')],
  ['a bomb in br', packed('br', brotliBomb), failed('too_large')],
  ['a bomb in zstd', packed('zstd', bombs.zstd), failed('too_large')],
  ['a bomb in a bomb', packed('gzip, gzip', zlib.gzipSync(bombs.gzip)), failed('too_large')],
]);

const chunked = (body: string) => answer([HTML, 'Transfer-Encoding: chunked'], body);
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const thenReset = (bytes: Bytes) => (socket: Socket) => socket.write(bytes, () => socket.resetAndDestroy());
const pour = (start: Bytes, piece: string) => (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more).write(start);
  more();
};
const kB = 'a'.repeat(65_536);

export const BODIES = cases([
  ['no type', answer(['X: y'], page('of no type')), 'of no type'],
  ['HTTP/1.0 without length', answer(['HTTP/1.0 200 OK', HTML], page('of old')), 'of old'],
  ['no reason phrase', answer(['HTTP/1.1 200', HTML], page('of few words')), 'of few words'],
  [
    'chunks',
    chunked(`${chunk(page('in chunks').slice(0, 50))}${chunk(page('in chunks').slice(50))}0\r\n\r\n`),
    'in chunks',
  ],
  [
    'chunks with notes',
    chunked(`${chunk(page('in notes')).replace('\r', ';a="b"\r')}0\r\nX-Trailer: a\r\n\r\n`),
    'in notes',
  ],
  ['a short length', answer([HTML, 'Content-Length: 120'], page('short')), 'short'],
  [
    'early hints',
    answer(['HTTP/1.1 103 Early Hints', 'Link: x', '', 'HTTP/1.1 200 OK', HTML], page('after hints')),
    'after hints',
  ],
  ['a cookie', answer([HTML, 'Set-Cookie: session=secret; Path=/'], page('with a cookie')), 'with a cookie'],
  ['two types', answer(['Content-Type: text/html', HTML], page('of two types')), 'of two types'],
  ['an upper-case type', answer(['Content-Type: TEXT/HTML ; q=1'], page('shouted')), 'shouted'],
  ['a long length', answer([HTML, 'Content-Length: 9999'], page('long')), LOST],
  ['half a chunk', chunked(`ff\r\n${page('half')}`.slice(0, 90)), LOST],
  ['chunks of nonsense', chunked('zz\r\nabc\r\n0\r\n\r\n'), BAD],
  ['a chunk of too many bytes', chunked('ffffffffffffffffff\r\nabc'), BAD],
  ['two lengths', answer([HTML, 'Content-Length: 3', 'Content-Length: 4'], 'abcd'), BAD],
  ['a length below zero', answer([HTML, 'Content-Length: -3'], 'abcd'), BAD],
  ['length and chunks', answer([HTML, 'Content-Length: 3', 'Transfer-Encoding: chunked'], chunk('abc')), BAD],
  ['a huge length', answer([HTML, 'Content-Length: 99999999999'], 'abc'), failed('too_large')],
  ['an endless body', pour(answer([HTML]), kB), failed('too_large')],
  ['endless chunks', pour(answer([HTML, 'Transfer-Encoding: chunked']), chunk(kB)), failed('too_large')],
  ['a reset before the head', (socket) => socket.resetAndDestroy(), LOST],
  ['a reset in the head', thenReset('HTTP/1.1 200 OK\r\nContent-'), LOST],
  ['a reset in the body', thenReset(answer([HTML, 'Content-Length: 999'], 'abc')), LOST],
  ['nothing', '', LOST],
  ['an end in the head', 'HTTP/1.1 200 OK\r\nContent-Type: text', LOST],
  ['an upgrade', answer(['HTTP/1.1 101 Switching Protocols', 'Upgrade: x', 'Connection: upgrade']), BAD],
  ['HTTP/0.9', page('ancient'), BAD],
  ['HTTP/3.0', answer(['HTTP/3.0 200 OK', HTML], page('future')), BAD],
  ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', BAD],
  ['many headers', answer([HTML, ...Array.from({ length: 9000 }, (_, index) => `X-${index}: b`)], page('many')), BAD],
  ['a long header', answer([HTML, `X: ${kB}`], page('long header')), BAD],
  ['endless headers', pour('HTTP/1.1 200 OK\r\n', 'X: y\r\n'.repeat(999)), BAD],
  ['a head without lines', pour('HTTP/1.1 200 OK\r\nX: ', kB), BAD],
  ['a line that is not a header', answer([HTML, 'nonsense'], page('nonsense')), BAD],
  ['a space in a name', answer([HTML, 'X Y: z'], page('space')), BAD],
  ['a zero in a header', answer([HTML, 'X: a\0b'], page('zero')), BAD],
  ['another type', answer(['Content-Type: application/zip'], 'PK'), skipped('content_type')],
  ['an empty page', answer([HTML, 'Content-Length: 0']), skipped('empty')],
]);

const status = (code: string, ...headers: readonly string[]) =>
  answer([`HTTP/1.1 ${code}`, HTML, ...headers], page(code));
const toward = (location: string, code = '302 Found') => status(code, `Location: ${location}`);

export const STATUSES = cases([
  ...['203 Mirrored', '205 Reset', '206 Part', '226 Used', '300 Choice', '400 Bad', '401 Who', '402 Pay', '403 No'].map(
    (code) => [`status ${code}`, status(code), failed('http_status')] as const,
  ),
  ...['405 No', '408 Late', '418 Tea', '451 Law', '500 Oh', '501 No', '502 Bad', '599 What', '999 No'].map(
    (code) => [`status ${code}`, status(code), failed('http_status')] as const,
  ),
  ['status 204', answer(['HTTP/1.1 204 No Content']), failed('http_status')],
  ['status 304 to an unconditional request', answer(['HTTP/1.1 304 Not Modified']), failed('http_status')],
  ['status 404', status('404 Not Found'), { outcome: 'gone', reason: '404' }],
  ['status 410', status('410 Gone'), { outcome: 'gone', reason: '410' }],
  ['an endless status 404', pour(answer(['HTTP/1.1 404 Not Found']), kB), { outcome: 'gone', reason: '404' }],
  [
    'status 404, then a reset',
    thenReset(answer(['HTTP/1.1 404 No', 'Content-Length: 99'], 'a')),
    { outcome: 'gone', reason: '404' },
  ],
  ['a redirect without a target', status('301 Moved'), BAD],
  ['a redirect to a script', toward('javascript:alert(1)'), BAD],
  ['a redirect to a file', toward('file:///etc/passwd', '301 Moved'), BAD],
  ['a redirect to data', toward('data:text/html,a', '307 Moved'), BAD],
  ['a redirect to FTP', toward('ftp://127.0.0.1/a', '308 Moved'), BAD],
  ['a redirect with a password', toward('http://user:secret@127.0.0.1/'), BAD],
  ['a redirect to an invalid URL', toward('http://[:::]/'), BAD],
  ['a redirect to another site', toward('https://elsewhere.example/', '303 See'), skipped('redirect')],
]);
