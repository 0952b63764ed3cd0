/** Site, query, tag and spelling in the address, so that a search can be shared and Back goes from search to search. */

/** @typedef {{ siteId: string, query: string, tag: string | undefined, exact: boolean }} Place */

/** While a person is typing, each new address replaces the last one in the history. */
let isDraft = false;

/** Shows scores; for owners who tune their site. */
export const isDebug = new URLSearchParams(location.search).has('debug');

export function readAddress() {
  const parameters = new URLSearchParams(location.search);
  return {
    siteId: parameters.get('site') ?? undefined,
    query: parameters.get('q') ?? '',
    tag: parameters.get('tag') || undefined,
    exact: parameters.has('exact'),
  };
}

/** @param {Place} place */
export function draftAddress({ siteId, query, tag, exact }) {
  const shown = { ...(tag && { tag }), ...(exact && { exact: '1' }), ...(isDebug && { debug: '1' }) };
  const named = { site: siteId, ...(query && { q: query }), ...shown };
  const search = `?${new URLSearchParams(named)}`;
  if (search === location.search) return;
  history[isDraft ? 'replaceState' : 'pushState'](null, '', search);
  isDraft = true;
}

/** The next draft gets a history entry of its own. @param {Place} place */
export function commitAddress(place) {
  draftAddress(place);
  isDraft = false;
}

/** @param {() => void} action after Back or Forward */
export function onReturn(action) {
  addEventListener('popstate', () => {
    isDraft = false;
    action();
  });
}
