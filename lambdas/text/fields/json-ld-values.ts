import { oneLine } from '../metadata/page-head.ts';
import { cut } from '../words/folding.ts';
import { MAX_PATH } from './field-source.ts';

/** A string, number or boolean, by the properties that lead to it: `author.name`. */
export type JsonLdValue = { readonly path: string; readonly text: string };

const MAX_TEXT = 512;
/** Maximum characters of all values and paths of a page together. */
const MAX_CHARACTERS = 20_000;
const MAX_NODES = 5_000;

type Found = { readonly values: readonly JsonLdValue[]; readonly isWhole: boolean };
type Node = { readonly path: string; readonly value: unknown };

/** Returns the values of parsed JSON-LD, those of outer objects first. `@graph` and lists are not part of a path. */
export function jsonLdValues(scripts: readonly unknown[]): Found {
  const values: JsonLdValue[] = [];
  const waiting: Node[] = scripts.slice(0, MAX_NODES).map((value) => ({ path: '', value }));
  let isWhole = scripts.length <= MAX_NODES;
  let room = MAX_CHARACTERS;
  // `waiting` grows during the loop.
  for (const node of waiting) {
    const parts = partsOf(node);
    if (parts) {
      const free = MAX_NODES - waiting.length;
      if (parts.length > free) isWhole = false;
      waiting.push(...parts.slice(0, free));
      continue;
    }
    const text = textOf(node.value);
    room -= node.path.length + text.length;
    if (room < 0) return { values, isWhole: false };
    if (text !== '') values.push({ path: node.path, text });
  }
  return { values, isWhole };
}

/**
 * Returns whether a path of the page ends with a property or a path of properties, or with the name of the object
 * there.
 */
export const isPathOf = (path: string, property: string): boolean => depthOf(path, property) !== undefined;

/** Returns the texts of a property in the outermost objects that have it. */
export function jsonLdTexts(paths: readonly (readonly [path: string, ...texts: string[]])[], property: string) {
  const found = paths.flatMap(([path, ...texts]) => {
    const depth = depthOf(path, property);
    return depth === undefined ? [] : [{ depth, texts }];
  });
  const outermost = Math.min(...found.map(({ depth }) => depth));
  return [...new Set(found.flatMap(({ depth, texts }) => (depth === outermost ? texts : [])))];
}

function depthOf(path: string, property: string): number | undefined {
  for (const wanted of [property, `${property}.name`])
    if (path === wanted || path.endsWith(`.${wanted}`)) return path.slice(0, -wanted.length).split('.').length;
  return undefined;
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : cut(oneLine(cut(String(value), 4 * MAX_TEXT).toWellFormed()), MAX_TEXT);

/** Returns the entries of a list or an object; undefined for a single value. */
function partsOf({ path, value }: Node): readonly Node[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.map((part: unknown) => ({ path, value: part }));
  return Object.entries(value).flatMap(([property, part]) => {
    const joined = pathOfProperty(property, path);
    return joined === undefined || joined.length > MAX_PATH ? [] : [{ path: joined, value: part }];
  });
}

/** Returns the path of a property; undefined for names that begin with `@`, except the type of an outermost object. */
function pathOfProperty(property: string, path: string): string | undefined {
  if (property === '@graph') return path;
  if (property.startsWith('@') && (property !== '@type' || path !== '')) return undefined;
  return path === '' ? property : `${path}.${property}`;
}
