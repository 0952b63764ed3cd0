import type { Filters } from '../../../packages/client/src/client.ts';
import { objectOf } from '../labels/labels.ts';
import type { AskOptions } from './answer.ts';
import { isWebAddress } from './source-links.ts';

/** The filters of an element, and the page that its visitor reads: the address of `context-url`, or this page. */
export function askOptionsOf(host: Element): AskOptions {
  const filters = objectOf(host, 'filters') as Filters;
  const contextUrl = contextUrlOf(host);
  return { ...(Object.keys(filters).length > 0 && { filters }), ...(contextUrl !== undefined && { contextUrl }) };
}

/** The attribute without a value, or with `page`, is the address of this page. */
function contextUrlOf(host: Element): string | undefined {
  const given = host.getAttribute('context-url');
  if (given === null) return undefined;
  const url = given === '' || given === 'page' ? location.href.replace(/#.*/s, '') : given;
  return isWebAddress(url) ? url : undefined;
}
