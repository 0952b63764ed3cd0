import type { PageContent } from '../page-content.ts';
import type { PageHead } from './page-head.ts';
import { webUrl } from './page-links.ts';

const ROBOT_NAMES = ['robots', 'sitesearchbot'];
const REFRESH = /^(\d{1,6})(?:\.\d{0,9})?(?: ?[;,]| ) ?(?:url ?= ?)?(.{1,2048})$/i;

/** Combines the directives of all meta elements for robots. */
export function robotsDirectives({ meta }: PageHead): { readonly noindex: boolean; readonly nofollow: boolean } {
  const words = new Set(
    ROBOT_NAMES.flatMap((name) => meta.get(name) ?? []).flatMap((content) => content.toLowerCase().split(/[\s,]+/)),
  );
  return {
    noindex: words.has('noindex') || words.has('none'),
    nofollow: words.has('nofollow') || words.has('none'),
  };
}

/** Returns the target of `<meta http-equiv=refresh>`; undefined for a page that only reloads itself. */
export function metaRefresh({ meta }: PageHead, base: string): PageContent['refresh'] {
  const match = REFRESH.exec(meta.get('refresh')?.[0] ?? '');
  if (match === null) return undefined;
  const target = (match[2] ?? '').trim().replace(/^(["'])(.*?)\1?$/, '$2');
  const url = webUrl(target, base);
  return url === undefined ? undefined : { seconds: Number(match[1]), url };
}
