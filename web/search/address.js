/**
 * Keeps site, query, tag and spelling in the address, so that a search can be shared and Back returns to earlier
 * searches.
 */

/** @typedef {{ siteId: string, query: string, tag: string | undefined, exact: boolean }} Place */

/** Whether the next address replaces the latest one in the history, as it does while a person is typing. */
let isDraft = false;

/** Whether scores are shown, for owners who tune their site. */
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

/** Gives the next draft a separate history entry. @param {Place} place */
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
