/** @import { Parameter, Resolve } from './api-document.js' */
/** @import { Row } from './schema-rows.js' */

import { brokenCode, element, prose } from './element.js';
import { descriptionOf, schemaRows } from './schema-rows.js';
import { boundWords, nameOf, typeWords } from './schema-words.js';

/**
 * Creates a table of the schema's fields, or its type in words if it has none.
 * @param {unknown} schema @param {Resolve} resolve
 */
export function schemaTable(schema, resolve) {
  const { rows, isCut } = schemaRows(schema, resolve);
  if (rows.length === 0) return element('p', { class: 'bare' }, typeWords(schema, resolve));
  const body = element('tbody', {}, ...rows.map(toRow));
  if (isCut)
    body.append(element('tr', {}, element('td', { colspan: '3', class: 'case' }, 'Deeper fields are not shown.')));
  return table('Field', nameOf(schema) || 'Fields', body);
}

/** @param {'Parameter' | 'Header'} kind @param {readonly Parameter[]} parameters @param {Resolve} resolve */
export function parameterTable(kind, parameters, resolve) {
  const rows = parameters.map(({ name, location, isRequired, description, schema }) =>
    toRow({
      path: '',
      name,
      type: typeWords(schema, resolve),
      isRequired,
      bounds: [...(location ? [`in the ${location}`] : []), ...boundWords(schema, resolve)],
      description: description || descriptionOf(schema, resolve),
    }),
  );
  return table(kind, `${kind}s`, element('tbody', {}, ...rows));
}

/** @param {Row} row */
function toRow(row) {
  if ('case' in row) return element('tr', {}, element('td', { colspan: '3', class: 'case' }, ...prose(row.case)));
  const { path, name, type, isRequired, bounds, description } = row;
  const full = brokenCode(path);
  full.className = 'path';
  full.append(element('b', {}, name));
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      full,
      ...(isRequired ? [' ', element('span', { class: 'required' }, 'required')] : []),
    ),
    element('td', { class: 'type' }, type),
    element(
      'td',
      { class: 'meaning' },
      ...(description ? [element('p', {}, ...prose(description))] : []),
      ...(bounds.length > 0 ? [element('p', { class: 'bounds' }, ...prose(bounds.join(' · ')))] : []),
    ),
  );
}

/** @param {string} first @param {string} caption @param {Node} body */
function table(first, caption, body) {
  const heads = [first, 'Type', 'Meaning'].map((head) => element('th', { scope: 'col' }, head));
  return element(
    'table',
    {},
    element('caption', { class: 'unseen' }, caption),
    element('thead', {}, element('tr', {}, ...heads)),
    body,
  );
}
