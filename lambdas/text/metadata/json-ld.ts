/** The strings and lists of strings of a JSON-LD object, by property, `@type` included. */
export type JsonLdItem = ReadonlyMap<string, readonly string[]>;

const MAX_ITEMS = 200;
const MAX_WAITING = 2_000;
const MAX_STRINGS = 50;
/** Properties whose objects describe the main topic of a page. Other properties hold authors, publishers and offers. */
const HOLDERS = new Set(['@graph', 'mainEntity', 'mainEntityOfPage']);

/** Returns the objects of parsed JSON-LD, outer ones first. */
export function readJsonLd(parsed: unknown): readonly JsonLdItem[] {
  const items: JsonLdItem[] = [];
  const waiting: unknown[] = [parsed];
  // `waiting` grows during the loop.
  for (const value of waiting) {
    if (items.length >= MAX_ITEMS) break;
    if (Array.isArray(value) && waiting.length < MAX_WAITING) waiting.push(...value.slice(0, MAX_ITEMS));
    else if (typeof value === 'object' && value !== null) items.push(readObject(value, waiting));
  }
  return items;
}

/** Parses a script; undefined if it is not valid JSON. */
export function parseJsonLd(script: string): unknown {
  try {
    return JSON.parse(script);
  } catch {
    return undefined;
  }
}

function readObject(value: object, waiting: unknown[]): JsonLdItem {
  const item = new Map<string, readonly string[]>();
  for (const [property, entry] of Object.entries(value)) {
    if (HOLDERS.has(property) && waiting.length < MAX_WAITING) waiting.push(entry);
    const list: readonly unknown[] = Array.isArray(entry) ? entry.slice(0, MAX_STRINGS) : [entry];
    const strings = list.filter((part) => typeof part === 'string');
    if (strings.length > 0) item.set(property, strings);
  }
  return item;
}
