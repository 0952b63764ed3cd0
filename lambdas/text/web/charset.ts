import { isUtf8 } from 'node:buffer';

const PRESCAN_BYTES = 1024;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const META = /<meta[\s/]((?:"[^"]*"|'[^']*'|[^'">])*)>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const XML_ENCODING = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/;
const CHARSET = /(?:^|[\s;,])charset\s*=\s*["']?([^\s"';,]+)/i;

/**
 * Decodes a body by its byte order mark, else the Content-Type header, else the declaration in the first 1,024 bytes of
 * markup, else as UTF-8 if valid, else as windows-1252 (WHATWG HTML, 13.2.3.2). Unknown names are ignored.
 */
export function decodeBody(body: Uint8Array, contentType: string | undefined): string {
  const encoding =
    encodingByMark(body) ??
    knownEncoding(charsetIn(contentType)) ??
    declaredEncoding(body, contentType) ??
    (isUtf8(body) ? 'utf-8' : 'windows-1252');
  return new TextDecoder(encoding).decode(body);
}

/**
 * Returns the encoding of a sitemap by its first bytes: byte order mark, XML declaration or meta element, else UTF-8.
 */
export function sitemapEncoding(start: Uint8Array): string {
  const [first, second] = start;
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  return encodingByMark(start) ?? declaredEncoding(start, 'text/xml') ?? 'utf-8';
}

function encodingByMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Returns the encoding that markup declares. Plain text is not read, because it may quote a declaration. */
function declaredEncoding(body: Uint8Array, contentType: string | undefined): string | undefined {
  if (contentType !== undefined && !/html|xml/i.test(contentType)) return undefined;
  const start = new TextDecoder('latin1').decode(body.subarray(0, PRESCAN_BYTES));
  const encoding = knownEncoding(XML_ENCODING.exec(start)?.[1]) ?? metaEncoding(start.replace(COMMENT, ''));
  // A declaration that is readable as ASCII cannot be UTF-16.
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

function metaEncoding(markup: string): string | undefined {
  for (const [, text = ''] of markup.matchAll(META)) {
    const attributes = attributesOf(text);
    const isContentType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
    const label = attributes.get('charset') ?? (isContentType ? charsetIn(attributes.get('content')) : undefined);
    const encoding = knownEncoding(label);
    if (encoding !== undefined) return encoding;
  }
  return undefined;
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
  }
  return attributes;
}

function charsetIn(contentType: string | undefined): string | undefined {
  return contentType === undefined ? undefined : CHARSET.exec(contentType)?.[1];
}
