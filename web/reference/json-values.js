/** Typed access to parsed JSON: each function returns the value, or an empty value of its type. */

/** @typedef {Record<string, unknown>} Json */

/** @param {unknown} value @returns {Json} */
export const record = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** @param {unknown} value @returns {unknown[]} */
export const list = (value) => (Array.isArray(value) ? value : []);

/** @param {unknown} value */
export const text = (value) => (typeof value === 'string' ? value : '');
