/**
 * Creates an element. Strings become text. Undefined attributes are omitted.
 * @param {string} name @param {Record<string, string | undefined>} attributes @param {...(string | Node)} children
 */
export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Converts text between backticks to code. @param {string} text @returns {(string | Node)[]} */
export const prose = (text) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));

/** Creates code that may wrap after the separators of a path. @param {string} text */
export function brokenCode(text) {
  const made = element('code', {});
  for (const part of text.split(/(?<=[/.])(?=.)/)) made.append(part, document.createElement('wbr'));
  return made;
}

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
