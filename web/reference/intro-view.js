/** Sections that concern every operation: addresses, keys, limits and error bodies. */

/** @import { Json } from './json-values.js' */
/** @import { Operation, Resolve } from './api-document.js' */

import { element, prose } from './element.js';
import { list, record, text } from './json-values.js';
import { parameterTable, schemaTable } from './schema-table.js';
import { nameOf } from './schema-words.js';

/**
 * @param {Json} api @param {readonly Operation[]} operations @param {Resolve} resolve
 * @returns {{ id: string, title: string, section: HTMLElement }[]}
 */
export function introSections(api, operations, resolve) {
  return [
    toSection('page-addresses', 'Addresses and keys', ...addresses(api)),
    toSection('page-limits', 'Limits', ...limits(api, resolve)),
    toSection('page-errors', 'Errors', ...errors(operations, resolve)),
  ];
}

/** @param {string} id @param {string} title @param {...Node} parts */
const toSection = (id, title, ...parts) => ({
  id,
  title,
  section: element('section', { class: 'intro', id }, element('h2', {}, title), ...parts),
});

/** @param {Json} api */
function addresses({ servers, info, components }) {
  const items = list(servers).map((server) => {
    const { url, description } = record(server);
    return element('li', {}, element('code', {}, location.origin + text(url)), ` ${text(description)}`);
  });
  const schemes = Object.values(record(record(components).securitySchemes)).map((scheme) =>
    element(
      'li',
      {},
      element('code', {}, 'Authorization: Bearer $API_KEY'),
      ' ',
      ...prose(text(record(scheme).description)),
    ),
  );
  const version = element('p', { class: 'version' }, `Version ${text(record(info).version)}. Bodies are JSON.`);
  return [element('ul', {}, ...items, ...schemes), version];
}

/** @param {Json} api @param {Resolve} resolve */
function limits({ info, components }, resolve) {
  const rows = Object.entries(record(record(components).headers)).map(([name, header]) => {
    const { description, schema } = record(header);
    return { name, location: '', isRequired: false, description: text(description), schema: record(schema) };
  });
  return [element('p', {}, ...prose(text(record(info).description))), parameterTable('Header', rows, resolve)];
}

/** Lists the bodies of all errors, each once. @param {readonly Operation[]} operations @param {Resolve} resolve */
function errors(operations, resolve) {
  const schemas = new Map(
    operations
      .flatMap((operation) => operation.errors)
      .flatMap(({ contents }) => contents.map(({ schema }) => /** @type {const} */ ([nameOf(schema), schema]))),
  );
  return [...schemas].flatMap(([name, schema]) => [element('h3', {}, name), schemaTable(schema, resolve)]);
}
