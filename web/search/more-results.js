/** The number of results of the first request, and after each "Show more results". */

/** @import { Answer } from './service.js' */
/** @import { Question } from './live-search.js' */

export const firstLimit = 10;
const largerLimits = [30, 100];

/** Returns the next larger limit. Undefined at the service's maximum. @param {number} limit */
export const nextLimit = (limit) => largerLimits.find((larger) => larger > limit);

/** @param {Question} question @param {Answer} answer */
export const canShowMore = ({ limit }, { results, total }) =>
  nextLimit(limit) !== undefined && results.length >= limit && results.length < total;
