/** @import { Operation, Resolve } from './api-document.js' */

import { sampleValue } from './sample-value.js';

/**
 * Returns a curl command for a POSIX shell. Values that the caller must fill in are variables. The key is always
 * `$API_KEY`.
 * @param {Operation} operation
 * @param {{ origin: string, withKey: boolean, resolve: Resolve }} options `withKey`: also where no key is needed
 */
export function curlLine({ method, path, parameters, body, isPublic }, { origin, withKey, resolve }) {
  const required = parameters
    .filter(({ location, isRequired }) => location === 'query' && isRequired)
    .map(
      ({ name, schema, example = sampleValue(schema, resolve, name) }) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(String(example))}`,
    );
  const address = quotedForVariables(origin + path).replaceAll(/\{(\w+)\}/g, (_, name) => `$${variable(name)}`);
  const query = required.length > 0 ? `?${quotedForVariables(required.join('&'))}` : '';
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}${query}"`,
    ...(isPublic && !withKey ? [] : ['-H "Authorization: Bearer $API_KEY"']),
    ...(body?.isRequired
      ? [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body.example ?? sampleValue(body.schema, resolve)).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ');
}

/** Returns the name of a variable, such as `SITE_ID` for `siteId`. @param {string} name */
const variable = (name) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();

/** Escapes characters that a shell would expand within double quotes. @param {string} text */
const quotedForVariables = (text) => text.replaceAll(/["$`\\]/g, String.raw`\$&`);
