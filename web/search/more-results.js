/** How many results are asked for at first, and then each time that a person wants more. */

/** @import { Answer } from './service.js' */
/** @import { Question } from './live-search.js' */

export const firstLimit = 10;
const largerLimits = [30, 100];

/** Undefined where the service gives no more. @param {number} limit */
export const nextLimit = (limit) => largerLimits.find((larger) => larger > limit);

/** @param {Question} question @param {Answer} answer */
export const canShowMore = ({ limit }, { results, total }) =>
  nextLimit(limit) !== undefined && results.length >= limit && results.length < total;
