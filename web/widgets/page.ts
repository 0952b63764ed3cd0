import type { SiteSearchElement, View } from './loader/elements.ts';

export function mount(_host: SiteSearchElement): View {
  return { open: () => undefined, close: () => undefined, changed: () => undefined };
}
