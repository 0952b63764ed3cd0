import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBody } from '../../../lambdas/text/web/charset.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const html = (head: string, body = '\xe9') => latin1(`<!DOCTYPE html><html><head>${head}</head>${body}`);
const lastCharacter = (body: Uint8Array, contentType?: string) => decodeBody(body, contentType).at(-1);

describe('a byte order mark', () => {
  it.each([
    ['UTF-8', [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
    ['UTF-16, big end first', [0xfe, 0xff, 0x00, 0xe9]],
    ['UTF-16, little end first', [0xff, 0xfe, 0xe9, 0x00]],
  ])('of %s wins over the header and is not part of the text', (_, bytes) => {
    expect(decodeBody(Uint8Array.from(bytes), 'text/html; charset=koi8-r')).toBe('é');
  });
});

describe('the header', () => {
  it.each([
    ['text/html; charset=utf-8', [0xc3, 0xa9], 'é'],
    ['text/html;charset="UTF-8"', [0xc3, 0xa9], 'é'],
    ["text/html; Charset = 'utf-8'; x=y", [0xc3, 0xa9], 'é'],
    ['text/html; charset=iso-8859-1', [0x93, 0xc3, 0xa9], '“Ã©'],
    ['text/html; charset=utf-16le', [0xe9, 0x00], 'é'],
    ['text/html; charset=Shift_JIS', [0x83, 0x65, 0x83, 0x58], 'テス'],
    ['text/html; charset=gb18030', [0xd6, 0xd0, 0x94, 0x39, 0xda, 0x33], '中💩'],
    ['text/html; charset=euc-kr', [0xc7, 0xd1], '한'],
    ['text/plain; charset=windows-1251', [0xc6], 'Ж'],
    ['text/html; charset=utf-8', [0x61, 0xff], 'a\ufffd'],
  ])('%s applies', (contentType, bytes, text) => {
    expect(decodeBody(Uint8Array.from(bytes), contentType)).toBe(text);
  });

  it('wins over the page', () => {
    expect(lastCharacter(html('<meta charset=windows-1251>'), 'text/html; charset=iso-8859-15')).toBe('é');
  });

  it.each(['text/html; charset=nonsense', 'text/html; charset=', 'text/html; xcharset=koi8-r', 'text/html'])(
    '%j says nothing',
    (contentType) => {
      expect(lastCharacter(html('<meta charset=windows-1251>'), contentType)).toBe('й');
    },
  );
});

describe('the start of the page', () => {
  it.each([
    '<meta charset=windows-1251>',
    '<META CHARSET="Windows-1251" />',
    "<meta\ncharset = 'windows-1251'>",
    '<meta name="a>b" charset=windows-1251>',
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    '<meta content=text/html;charset=windows-1251 http-equiv=content-type>',
    '<!-- <meta charset=koi8-r> --><meta charset=windows-1251>',
    '<meta charset=nonsense><meta charset=windows-1251>',
    '<meta charset=windows-1251 charset=koi8-r>',
    '<meta/charset=windows-1251>',
  ])('%s applies', (head) => {
    expect(lastCharacter(html(head))).toBe('й');
    expect(lastCharacter(html(head), 'text/html')).toBe('й');
  });

  it.each([
    '<meta content="text/html; charset=windows-1251">',
    '<meta name=description content="charset=windows-1251">',
    '<!-- <meta charset=windows-1251>',
    '<metadata charset=windows-1251>',
    '<meta data-charset=windows-1251>',
    `${' '.repeat(1024)}<meta charset=windows-1251>`,
  ])('%s declares nothing', (head) => {
    expect(lastCharacter(html(head))).toBe('é');
  });

  it('may be an XML declaration', () => {
    expect(lastCharacter(latin1('<?xml version="1.0" encoding="windows-1251"?><a/>\xe9'), 'application/xml')).toBe('й');
  });

  it('applies to markup only', () => {
    expect(lastCharacter(html('<meta charset=windows-1251>'), 'text/plain')).toBe('é');
  });

  it('cannot declare UTF-16 in readable ASCII', () => {
    expect(decodeBody(Buffer.from('<meta charset=utf-16>é'), 'text/html')).toBe('<meta charset=utf-16>é');
  });

  it('is read in little time whatever it contains', () => {
    const hostile = [
      '<meta '.repeat(200),
      `<meta ${'"'.repeat(1000)}`,
      `<meta ${"a='".repeat(300)}`,
      '<!--'.repeat(250),
    ];
    for (const text of hostile) expect(decodeBody(latin1(text), undefined)).toBe(text);
  });
});

describe('without a declaration', () => {
  it('valid UTF-8 is UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const expected = text.startsWith('\ufeff') ? text.slice(1) : text;
        expect(decodeBody(Buffer.from(text), 'text/plain')).toBe(expected);
      }),
    );
  });

  it('anything else is windows-1252, with its 27 characters between 0x80 and 0x9F', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index);
    expect(decodeBody(bytes, undefined)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ');
    expect(decodeBody(bytes, 'text/html; charset=latin1')).toBe(decodeBody(bytes, undefined));
  });

  it('an empty body is an empty text', () => {
    expect(decodeBody(new Uint8Array(), undefined)).toBe('');
  });
});
