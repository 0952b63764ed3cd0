import { normaliseUrl } from './url.ts';

const URL_OR_PATH = /^(?:https?:\/)?\//i;

/** Normalises a URL from a list: absolute, or a path of the site; undefined for anything else. */
export function listedUrl(written: string, baseUrl: string): string | undefined {
  const text = written.trim();
  return URL_OR_PATH.test(text) ? normaliseUrl(text, baseUrl) : undefined;
}
