import { normaliseUrl } from './url.ts';

const URL_OR_PATH = /^(?:https?:\/)?\//i;

/** A URL as people list it, whole or as a path of the site, in its normal spelling; undefined for anything else. */
export function listedUrl(written: string, baseUrl: string): string | undefined {
  const text = written.trim();
  return URL_OR_PATH.test(text) ? normaliseUrl(text, baseUrl) : undefined;
}
