/** @import { Answer, Operation, Resolve } from './api-document.js' */

import { copyableCode } from './copyable-code.js';
import { brokenCode, element, prose } from './element.js';
import { parameterTable, schemaTable } from './schema-table.js';
import { nameOf } from './schema-words.js';

const mostOpenRows = 12;

/** @param {Operation} operation @param {string} curl @param {Resolve} resolve */
export function operationSection(operation, curl, resolve) {
  const { operationId, method, path, aliases, summary, parameters, body, successes, errors } = operation;
  return element(
    'section',
    { class: 'operation', id: operationId, 'data-operation': operationId },
    element(
      'h3',
      { class: 'call' },
      element('a', { href: `#${operationId}` }, methodLabel(method), brokenCode(path)),
      element('code', { class: 'id', title: 'operationId' }, operationId),
    ),
    ...aliases.map((alias) => element('p', { class: 'also', id: alias.operationId }, 'also ', brokenCode(alias.path))),
    element('p', { class: 'summary' }, ...prose(summary)),
    accessLine(operation),
    copyableCode(curl, `the command for ${operationId}`),
    ...(parameters.length > 0
      ? [element('h4', {}, 'Parameters'), parameterTable('Parameter', parameters, resolve)]
      : []),
    ...(body ? [bodyHeading(body), schemaTable(body.schema, resolve)] : []),
    ...successes.flatMap((answer) => successParts(answer, resolve)),
    element('h4', {}, 'Errors'),
    element('ul', { class: 'errors' }, ...errors.map(errorItem)),
  );
}

/** @param {string} method */
export const methodLabel = (method) => element('span', { class: `method ${method}` }, method.toUpperCase());

/** @param {Operation} operation */
function accessLine({ isPublic, description }) {
  const badges = [
    isPublic ? element('span', { class: 'badge open' }, 'Public') : element('span', { class: 'badge' }, 'API key'),
  ];
  const words = [
    description,
    isPublic ? 'For visitors from an origin that the site allows, and for clients with a valid key.' : '',
  ];
  return element('p', { class: 'access' }, ...badges, element('span', {}, ...prose(words.filter(Boolean).join(' '))));
}

/** @param {NonNullable<Operation['body']>} body */
const bodyHeading = ({ isRequired, schema }) =>
  element('h4', {}, 'Body ', small(`${nameOf(schema) || 'JSON'}${isRequired ? '' : ', optional'}`));

/** @param {Answer} answer @param {Resolve} resolve */
function successParts({ status, description, contents }, resolve) {
  if (contents.length === 0) return [element('h4', {}, 'Response ', small(`${status}, no body`))];
  return contents.map(({ type, schema, example }) => {
    const isJson = type === 'application/json';
    const fields = schemaTable(schema, resolve);
    const isShort = fields.querySelectorAll('tbody tr').length <= mostOpenRows;
    return element(
      'details',
      { class: 'answer', open: isShort ? '' : undefined },
      element(
        'summary',
        {},
        element('h4', {}, 'Response ', small(`${status} ${isJson ? nameOf(schema) || 'JSON' : type}`)),
      ),
      ...(isJson ? [] : [element('p', { class: 'said' }, ...prose(description))]),
      fields,
      ...(example === undefined ? [] : [copyableCode(exampleText(example), 'the example')]),
    );
  });
}

/** @param {unknown} example */
const exampleText = (example) => (typeof example === 'string' ? example.trimEnd() : JSON.stringify(example, null, 2));

/** @param {Answer} error */
const errorItem = ({ status, description }) => element('li', {}, element('b', {}, status), ' ', ...prose(description));

/** @param {string} words */
const small = (words) => element('small', {}, words);
