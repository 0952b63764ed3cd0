import type { ChatSource } from '../../../packages/client/src/chat-events.ts';

/** Whether a link may lead to the address. */
export const isWebAddress = (url: string): boolean => /^https?:$/.test(parsed(url)?.protocol ?? '');

/** The source with the address, if a link may lead to it. */
export function sourceOf(url: string, sources: readonly ChatSource[]): ChatSource | undefined {
  const href = parsed(url)?.href;
  if (href === undefined || !isWebAddress(url)) return undefined;
  return sources.find((source) => parsed(source.url)?.href === href);
}

/** The way to a page: `example.com › guide › setup`. */
export function breadcrumbOf(url: string): string {
  const { host, pathname } = parsed(url) ?? { host: url, pathname: '' };
  return [host, ...pathname.split('/').filter(Boolean).slice(0, -1).map(readable)].join(' › ');
}

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
