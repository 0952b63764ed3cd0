/** The API reference: shows the OpenAPI document of the service that serves this page. */

/** @import { Json } from './json-values.js' */
/** @import { Operation, Resolve } from './api-document.js' */

import { loadDocument, operationsOf, resolverOf, tagDescriptions } from './api-document.js';
import { followReading, showContents } from './contents.js';
import { curlLine } from './curl-line.js';
import { byId, element, prose } from './element.js';
import { addFilter } from './filter.js';
import { introSections } from './intro-view.js';
import { operationSection } from './operation-view.js';

/** The search page stores the key under this name. */
const keyName = 'site-search.key';

/** Tells whether there is a key. The page never reads the key itself. */
function hasKey() {
  try {
    return sessionStorage.getItem(keyName) !== null;
  } catch {
    return false;
  }
}

/** @param {Json} api */
function show(api) {
  const resolve = resolverOf(api);
  const operations = operationsOf(api);
  /** @type {Map<string, Operation[]>} */
  const byTag = new Map();
  for (const operation of operations) byTag.set(operation.tag, [...(byTag.get(operation.tag) ?? []), operation]);
  const descriptions = tagDescriptions(api);
  const chapters = introSections(api, operations, resolve);
  byId('page').append(
    ...chapters.map(({ section }) => section),
    ...[...byTag].map(([tag, those]) => tagSection({ tag, description: descriptions.get(tag) ?? '' }, those, resolve)),
  );
  showContents(chapters, byTag);
  const filter = addFilter(operations);
  byId('side').hidden = false;
  followReading([...document.querySelectorAll('section.intro, section.operation')]);
  addEventListener('hashchange', () => goToTarget(filter.clear));
  goToTarget(filter.clear);
}

/** @param {{ tag: string, description: string }} tag @param {readonly Operation[]} operations @param {Resolve} resolve */
function tagSection({ tag, description }, operations, resolve) {
  const options = { origin: location.origin, withKey: hasKey(), resolve };
  return element(
    'section',
    { class: 'tag', 'data-tag': tag, 'aria-label': tag },
    element('h2', { id: `tag-${tag}` }, tag),
    ...(description ? [element('p', {}, ...prose(description))] : []),
    ...operations.map((operation) => operationSection(operation, curlLine(operation, options), resolve)),
  );
}

/**
 * Scrolls to the target of the address, which the browser could not find before it was shown, or which the filter
 * hides.
 * @param {() => void} clearFilter
 */
function goToTarget(clearFilter) {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  if (!target) return;
  if (target.closest('[hidden]')) clearFilter();
  location.replace(location.hash);
}

try {
  show(await loadDocument(new URL('/docs/openapi.json', location.href)));
} catch (fault) {
  byId('fault').hidden = false;
  console.error(fault);
}
