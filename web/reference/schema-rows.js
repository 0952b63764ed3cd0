/** Converts a schema to the rows of a table: all fields, nested ones with their path. */

/** @import { Json } from './json-values.js' */
/** @import { Resolve } from './api-document.js' */

import { list, record, text } from './json-values.js';
import { boundWords, choicesOf, shapesOf, typeWords } from './schema-words.js';

/**
 * @typedef {{
 *   path: string, name: string, type: string, isRequired: boolean, bounds: string[], description: string
 * }} Field `path` is that of its object, for example `results[].`; the name `*` is any other field.
 */
/** @typedef {{ case: string }} Case The following fields belong to one of several possible objects. */
/** @typedef {Field | Case} Row */

const maxDepth = 8;
const maxRows = 300;

/**
 * @param {unknown} schema @param {Resolve} resolve
 * @returns {{ rows: Row[], isCut: boolean }} `isCut`: deeper or later fields are missing
 */
export function schemaRows(schema, resolve) {
  /** @type {Row[]} */
  const rows = [];
  let isCut = false;

  /** @param {unknown} value @param {string} path @param {number} depth */
  const visit = (value, path, depth) => {
    const shapes = shapesOf(value, resolve);
    const objects = shapes.filter((shape) => fieldsOf(shape).length > 0);
    for (const shape of shapes) {
      const isList = shape.type === 'array';
      if (!isList && !objects.includes(shape)) continue;
      if (depth === maxDepth) isCut = true;
      else if (isList) visit(shape.items, `${path}[]`, depth + 1);
      else addObject(shape, path && `${path}.`, depth, objects.length > 1);
    }
  };

  /** @param {Json} shape @param {string} path @param {number} depth @param {boolean} isCase */
  const addObject = (shape, path, depth, isCase) => {
    if (isCase) rows.push({ case: caseWords(shape, path) });
    for (const [name, field] of fieldsOf(shape)) {
      if (rows.length >= maxRows) {
        isCut = true;
        return;
      }
      rows.push(toField(field, path, name, list(shape.required).includes(name), resolve));
      visit(field, path + name, depth + 1);
    }
  };

  visit(schema, '', 0);
  return { rows, isCut };
}

/**
 * @param {unknown} schema @param {string} path @param {string} name @param {boolean} isRequired
 * @param {Resolve} resolve @returns {Field}
 */
const toField = (schema, path, name, isRequired, resolve) => ({
  path,
  name,
  type: typeWords(schema, resolve),
  isRequired,
  bounds: boundWords(schema, resolve),
  description: descriptionOf(schema, resolve),
});

/**
 * Returns the named fields, and `*` if other fields have a schema.
 * @param {Json} shape @returns {[string, unknown][]}
 */
function fieldsOf({ properties, additionalProperties }) {
  const isOpen = typeof additionalProperties === 'object' && additionalProperties !== null;
  return [
    ...Object.entries(record(properties)),
    ...(isOpen ? [/** @type {[string, unknown]} */ (['*', additionalProperties])] : []),
  ];
}

/** @param {Json} shape @param {string} path */
function caseWords({ properties }, path) {
  for (const [name, field] of Object.entries(record(properties))) {
    const choices = choicesOf(record(field));
    if (choices.length === 1) return `When \`${path}${name}\` is \`${String(choices[0])}\``;
  }
  return 'Or';
}

/**
 * Returns the schema's description, or else that of its only shape, or else that of its items.
 * @param {unknown} schema @param {Resolve} resolve
 */
export function descriptionOf(schema, resolve) {
  const shapes = shapesOf(schema, resolve);
  const shape = shapes.length === 1 ? record(shapes[0]) : {};
  return text(resolve(schema).description) || text(shape.description) || text(resolve(shape.items).description);
}
