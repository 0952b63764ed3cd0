/** @import { Operation } from './api-document.js' */

import { shownLinks } from './contents.js';
import { byId } from './element.js';

/** @param {readonly Operation[]} operations @returns {{ clear: () => void }} */
export function addFilter(operations) {
  const field = /** @type {HTMLInputElement} */ (byId('filter'));
  const texts = new Map(operations.map((operation) => [operation.operationId, searchText(operation)]));

  const apply = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = operations.filter(({ operationId }) => words.every((word) => texts.get(operationId)?.includes(word)));
    show(kept, words.length > 0);
    byId('found').textContent = words.length > 0 ? `${kept.length} of ${operations.length} operations` : '';
  };
  const clear = () => {
    field.value = '';
    apply();
  };

  field.addEventListener('input', () => {
    apply();
    scrollTo({ top: 0 });
  });
  field.addEventListener('keydown', (event) => {
    const goal = { Enter: goToFirst, ArrowDown: () => shownLinks()[0]?.focus(), Escape: clear }[event.key];
    if (!goal || event.isComposing) return;
    event.preventDefault();
    goal();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  apply();
  return { clear };
}

/**
 * Shows these operations on the page and in the contents.
 * @param {readonly Operation[]} kept @param {boolean} isFiltered
 */
function show(kept, isFiltered) {
  keep('data-operation', new Set(kept.map(({ operationId }) => operationId)));
  keep('data-tag', new Set(kept.map(({ tag }) => tag)));
  for (const part of document.querySelectorAll('section.intro, #general')) part.toggleAttribute('hidden', isFiltered);
  byId('none').hidden = kept.length > 0;
}

/** Hides elements whose attribute has another value. @param {string} attribute @param {ReadonlySet<string>} values */
function keep(attribute, values) {
  for (const part of document.querySelectorAll(`[${attribute}]`)) {
    part.toggleAttribute('hidden', !values.has(part.getAttribute(attribute) ?? ''));
  }
}

function goToFirst() {
  const first = document.querySelector('.operation:not([hidden]) .call a');
  if (first instanceof HTMLAnchorElement) first.click();
}

/** @param {Operation} operation */
function searchText(operation) {
  const { aliases, parameters, errors } = operation;
  return [
    ...[
      operation.operationId,
      operation.tag,
      operation.method,
      operation.path,
      operation.summary,
      operation.description,
    ],
    operation.isPublic ? 'public' : 'api key',
    ...aliases.flatMap(({ operationId, path }) => [operationId, path]),
    ...parameters.map(({ name }) => name),
    ...errors.flatMap(({ status, description }) => [status, description]),
  ]
    .join(' ')
    .toLowerCase();
}
