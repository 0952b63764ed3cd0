/** @import { Operation, Resolve } from './api-document.js' */

import { sampleValue } from './sample-value.js';

/**
 * A call by curl, for a POSIX shell: what the caller must fill in are variables, `$API_KEY` among them, never a key.
 * @param {Operation} operation @param {{ origin: string, withKey: boolean, resolve: Resolve }} options `withKey`: also where no key is needed
 */
export function curlLine({ method, path, parameters, body, isPublic }, { origin, withKey, resolve }) {
  const asked = parameters
    .filter(({ place, isRequired }) => place === 'query' && isRequired)
    .map(
      ({ name, schema }) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(String(sampleValue(schema, resolve, name)))}`,
    );
  const address = quotedForVariables(origin + path).replaceAll(/\{(\w+)\}/g, (_, name) => `$${variable(name)}`);
  const query = asked.length > 0 ? `?${quotedForVariables(asked.join('&'))}` : '';
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}${query}"`,
    ...(isPublic && !withKey ? [] : ['-H "Authorization: Bearer $API_KEY"']),
    ...(body?.isRequired
      ? [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(sampleValue(body.schema, resolve)).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ');
}

/** `siteId` is `SITE_ID` @param {string} name */
const variable = (name) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();

/** Text that double quotes leave as it is. @param {string} text */
const quotedForVariables = (text) => text.replaceAll(/["$`\\]/g, String.raw`\$&`);
