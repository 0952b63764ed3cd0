/**
 * Replaces `json11` in the bundles of functions. The OpenSearch client needs that parser only for whole numbers beyond
 * those of JavaScript, which is switched off here.
 */
export const { parse, stringify } = JSON;
