import { createValue } from './value.ts';

export type Appearance = 'system' | 'light' | 'dark';

const NAME = 'site-search.appearance';

const isAppearance = (text: string | null): text is Appearance => text === 'light' || text === 'dark';
const kept = localStorage.getItem(NAME);
export const appearance = createValue<Appearance>(isAppearance(kept) ? kept : 'system');
show(appearance.get());

export function setAppearance(next: Appearance): void {
  localStorage.setItem(NAME, next);
  appearance.set(next);
  show(next);
}

function show(next: Appearance): void {
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}
