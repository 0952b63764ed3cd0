/** Describes JSON Schema in words, with values and patterns between backticks. */

/** @import { Json } from './json-values.js' */
/** @import { Resolve } from './api-document.js' */

import { list, record, text } from './json-values.js';

const maxUnionDepth = 4;
const maxListDepth = 3;

/**
 * Returns the alternatives of a schema without null. Flattens unions and follows references.
 * @param {unknown} schema @param {Resolve} resolve @returns {Json[]}
 */
export function shapesOf(schema, resolve, depth = 0) {
  const found = resolve(schema);
  const union = [...list(found.anyOf), ...list(found.oneOf)];
  if (union.length > 0 && depth < maxUnionDepth) return union.flatMap((part) => shapesOf(part, resolve, depth + 1));
  return found.type === 'null' ? [] : [found];
}

/**
 * Returns a type, such as `array of Site` or `string (uuid) or null`.
 * @param {unknown} schema @param {Resolve} resolve @returns {string}
 */
export function typeWords(schema, resolve, depth = 0) {
  const found = resolve(schema);
  const name = nameOf(schema);
  if (name && shapesOf(schema, resolve).some(({ type }) => type === 'object')) return name;
  const union = [...list(found.anyOf), ...list(found.oneOf)];
  if (union.length > 0 && depth < maxUnionDepth) {
    return joined(union.map((part) => typeWords(part, resolve, depth + 1)));
  }
  if (Array.isArray(found.type)) return joined(found.type.map(text));
  if (found.type === 'array') return arrayWords(found, resolve, depth);
  const form = text(found.format) || text(found.contentMediaType);
  return (text(found.type) || 'any value') + (form && ` (${form})`);
}

/** @param {Json} schema @param {Resolve} resolve @param {number} depth */
function arrayWords(schema, resolve, depth) {
  if (depth >= maxListDepth) return 'array';
  const fixed = list(schema.prefixItems).map((item) => typeWords(item, resolve, depth + 1));
  if (fixed.length > 0) return `[${fixed.join(', ')}]`;
  const item = typeWords(schema.items, resolve, depth + 1);
  return `array of ${item.includes(' or ') ? `(${item})` : item}`;
}

/** Returns the component that a schema refers to, or its title. @param {unknown} schema */
export const nameOf = (schema) => text(record(schema).$ref).split('/').at(-1) || text(record(schema).title);

/**
 * Describes the bounds, choices and default of a value that has one shape.
 * @param {unknown} schema @param {Resolve} resolve @returns {string[]}
 */
export function boundWords(schema, resolve) {
  const found = resolve(schema);
  const shapes = shapesOf(schema, resolve);
  const shape = shapes.length === 1 ? record(shapes[0]) : {};
  const each = shape.type === 'array' && !shape.prefixItems ? ownBounds(resolve(shape.items)) : [];
  const fallback = 'default' in found ? found.default : shape.default;
  return [
    ...ownBounds(shape),
    ...each.map((words) => `each ${words}`),
    ...(fallback === undefined ? [] : [`default ${code(fallback)}`]),
  ];
}

/** Returns the only allowed values, if they are listed. @param {Json} schema @returns {unknown[]} */
export const choicesOf = (schema) => ('const' in schema ? [schema.const] : list(schema.enum));

/** @param {Json} schema */
function ownBounds(schema) {
  const choices = choicesOf(schema);
  return [
    ...(choices.length > 1 ? [`one of ${choices.map(code).join(', ')}`] : []),
    ...(choices.length === 1 ? [`always ${code(choices[0])}`] : []),
    range(schema.minimum, schema.maximum),
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.prefixItems ? undefined : schema.minItems, schema.prefixItems ? undefined : schema.maxItems, 'item'),
    ...(schema.pattern === undefined ? [] : [`matches \`${text(schema.pattern)}\``]),
    ...(schema.additionalProperties === false ? ['no other fields'] : []),
  ].filter(Boolean);
}

/** @param {unknown} least @param {unknown} most @param {string} [unit] singular */
function range(least, most, unit) {
  const last = typeof most === 'number' ? most : least;
  if (typeof last !== 'number') return '';
  const amount = figure(last) + (unit ? ` ${unit}${last === 1 ? '' : 's'}` : '');
  if (typeof most !== 'number') return `at least ${amount}`;
  return typeof least === 'number' ? `${figure(least)} to ${amount}` : `at most ${amount}`;
}

/** @param {number} value */
const figure = (value) => value.toLocaleString('en', { maximumFractionDigits: 20 });

/** @param {unknown} value */
const code = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** @param {string[]} parts */
const joined = (parts) => [...new Set(parts)].join(' or ');
