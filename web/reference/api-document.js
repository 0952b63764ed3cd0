/** Reads the OpenAPI document: one operation for each endpoint, with all paths that it is served under. */

/** @import { Json } from './json-values.js' */

import { list, record, text } from './json-values.js';

/**
 * @typedef {{
 *   name: string, location: string, isRequired: boolean, description: string, schema: Json, example?: unknown
 * }} Parameter
 */
/** @typedef {{ type: string, schema: Json, example: unknown }} Content */
/** @typedef {{ status: string, description: string, contents: Content[] }} Answer */
/** @typedef {{ operationId: string, path: string }} Alias The same endpoint under its second path. */
/**
 * @typedef {{
 *   operationId: string, tag: string, method: string, path: string, aliases: Alias[], summary: string,
 *   description: string, isPublic: boolean, parameters: Parameter[],
 *   body: { isRequired: boolean, schema: Json, example: unknown } | undefined, successes: Answer[], errors: Answer[]
 * }} Operation `path` begins with its surface, such as `/api`.
 */
/** @typedef {(value: unknown) => Json} Resolve Returns the target of a `$ref`, and any other value unchanged. */

const methods = ['get', 'post', 'put', 'delete'];
const aliasEnding = /(?:-of-site)?(?:-in-organisation)?$/;
const maxHops = 8;

/** @param {URL} address @returns {Promise<Json>} */
export async function loadDocument(address) {
  const response = await fetch(address, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`The OpenAPI document answered ${response.status}`);
  return record(await response.json());
}

/**
 * Returns a function that follows references within the document. A dangling or circular reference gives `{}`.
 * @param {Json} document @returns {Resolve}
 */
export function resolverOf(document) {
  return (value) => {
    let found = record(value);
    for (let hops = 0; typeof found.$ref === 'string'; hops++) {
      if (hops === maxHops) return {};
      const { $ref, ...beside } = found;
      found = { ...at(document, text($ref)), ...beside };
    }
    return found;
  };
}

/** @param {Json} document @param {string} pointer `#/components/…` */
function at(document, pointer) {
  /** @type {unknown} */
  let found = document;
  for (const part of pointer.split('/').slice(1))
    found = record(found)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  return record(found);
}

/** @param {Json} document @returns {Operation[]} */
export function operationsOf(document) {
  const resolve = resolverOf(document);
  /** @type {Map<string, Operation>} */
  const operations = new Map();
  for (const [path, item] of Object.entries(record(document.paths))) {
    const surface = text(record(list(record(item).servers)[0]).url);
    for (const method of methods) {
      const operation = record(item)[method];
      if (!operation) continue;
      const made = toOperation(record(operation), method, surface + path, resolve);
      const first = operations.get(made.operationId.replace(aliasEnding, ''));
      if (first) first.aliases.push({ operationId: made.operationId, path: made.path });
      else operations.set(made.operationId, made);
    }
  }
  return [...operations.values()];
}

/** Returns the description of each tag by its name. @param {Json} document @returns {ReadonlyMap<string, string>} */
export const tagDescriptions = ({ tags }) =>
  new Map(list(tags).map((tag) => [text(record(tag).name), text(record(tag).description)]));

/** @param {Json} operation @param {string} method @param {string} path @param {Resolve} resolve @returns {Operation} */
function toOperation(operation, method, path, resolve) {
  const answers = Object.entries(record(operation.responses)).map(([status, answer]) =>
    toAnswer(status, resolve(answer)),
  );
  const content = record(record(resolve(operation.requestBody).content)['application/json']);
  return {
    operationId: text(operation.operationId),
    tag: text(list(operation.tags)[0]),
    method,
    path,
    aliases: [],
    summary: text(operation.summary),
    description: text(operation.description),
    isPublic: list(operation.security).some((way) => Object.keys(record(way)).length === 0),
    parameters: list(operation.parameters).map((parameter) => toParameter(resolve(parameter))),
    body: content.schema
      ? {
          isRequired: resolve(operation.requestBody).required === true,
          schema: record(content.schema),
          example: content.example,
        }
      : undefined,
    successes: answers.filter(({ status }) => status.startsWith('2')),
    errors: answers.filter(({ status }) => !status.startsWith('2')),
  };
}

/** @param {Json} parameter @returns {Parameter} */
const toParameter = (parameter) => ({
  name: text(parameter.name),
  location: text(parameter.in),
  isRequired: parameter.required === true,
  description: text(parameter.description),
  schema: record(parameter.schema),
  example: parameter.example,
});

/** @param {string} status @param {Json} answer @returns {Answer} */
const toAnswer = (status, answer) => ({
  status,
  description: text(answer.description),
  contents: Object.entries(record(answer.content)).map(([type, content]) => ({
    type,
    schema: record(record(content).schema),
    example: record(content).example,
  })),
});
