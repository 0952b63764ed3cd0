/** The smallest example that a schema accepts. */

/** @import { Json } from './json-values.js' */
/** @import { Resolve } from './api-document.js' */

import { list, record, text } from './json-values.js';
import { shapesOf } from './schema-words.js';

const maxDepth = 6;
/** @type {Record<string, string>} */
const byFormat = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
};

/**
 * Returns a sample. An object gets its required fields, or else its first field. The name of a text field decides
 * whether it is a URL.
 * @param {unknown} schema @param {Resolve} resolve @param {string} name of the field @returns {unknown}
 */
export function sampleValue(schema, resolve, name = '', depth = 0) {
  const shape = record(shapesOf(schema, resolve)[0]);
  if ('const' in shape) return shape.const;
  if (Array.isArray(shape.enum)) return shape.enum[0];
  if (depth > maxDepth) return null;
  switch (shape.type) {
    case 'object':
      return sampleObject(shape, resolve, depth);
    case 'array':
      return [sampleValue(shape.items, resolve, name, depth + 1)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return shape.default ?? shape.minimum ?? 1;
    default:
      return byFormat[text(shape.format)] ?? (/urls?$/i.test(name) ? 'https://example.com/' : 'example');
  }
}

/** @param {Json} shape @param {Resolve} resolve @param {number} depth */
function sampleObject({ properties, required }, resolve, depth) {
  const fields = Object.entries(record(properties));
  const needed = fields.filter(([name]) => list(required).includes(name));
  const chosen = needed.length > 0 ? needed : fields.slice(0, 1);
  return Object.fromEntries(chosen.map(([name, field]) => [name, sampleValue(field, resolve, name, depth + 1)]));
}
