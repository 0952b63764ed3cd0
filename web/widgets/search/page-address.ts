import type { SiteSearchElement } from '../loader/elements.ts';
import { choicesIn, writeChoices } from './choices.ts';
import type { Facets } from './facets.ts';

/** What the address of the document says of a page of results: `?q=…&exact=1&n=20&filter-tags=News`. */
export type PageAddress = {
  readonly read: () => { readonly query: string; readonly exact: boolean; readonly limit: number | undefined };
  /** Writes the state. While somebody types, there is one entry of the history, not one for each letter. */
  readonly write: (
    state: { readonly query: string; readonly exact: boolean; readonly shown: number },
    isDraft?: boolean,
  ) => void;
  /** Calls the function when the visitor goes back or forth. */
  readonly watch: (isOn: boolean) => void;
};

const FIRST = 10;
const MOST = 50;

export function createPageAddress(host: SiteSearchElement, facets: Facets, returned: () => void): PageAddress {
  let isDrafted = false;
  const isOff = () => host.getAttribute('address') === 'off';
  const moved = () => {
    isDrafted = false;
    if (!isOff()) returned();
  };
  return {
    read() {
      const parameters = new URLSearchParams(isOff() ? '' : location.search);
      facets.set(choicesIn(parameters));
      const shown = Number(parameters.get('n'));
      return {
        query: parameters.get('q') ?? '',
        exact: parameters.get('exact') === '1',
        limit: shown > FIRST ? Math.min(shown, MOST) : undefined,
      };
    },
    write({ query, exact, shown }, isDraft = false) {
      if (isOff()) return;
      const url = new URL(location.href);
      const set = (name: string, value: string) => {
        if (value) url.searchParams.set(name, value);
        else url.searchParams.delete(name);
      };
      set('q', query);
      set('exact', exact ? '1' : '');
      set('n', shown > FIRST ? String(shown) : '');
      writeChoices(facets.chosen, url.searchParams);
      if (url.href !== location.href) {
        if (isDrafted) history.replaceState(history.state, '', url);
        else history.pushState(null, '', url);
      }
      isDrafted = isDraft;
    },
    watch(isOn) {
      if (isOn) addEventListener('popstate', moved);
      else removeEventListener('popstate', moved);
    },
  };
}
