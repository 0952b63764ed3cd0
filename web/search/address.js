/** Site and query in the address, `?site=…&q=…`, so that a search can be shared and Back goes from search to search. */

/** While a person is typing, each new address replaces the last one in the history. */
let isDraft = false;

export function readAddress() {
  const parameters = new URLSearchParams(location.search);
  return { siteId: parameters.get('site') ?? undefined, query: parameters.get('q') ?? '' };
}

/** @param {string} siteId @param {string} query */
export function draftAddress(siteId, query) {
  const search = `?${new URLSearchParams({ site: siteId, ...(query && { q: query }) })}`;
  if (search === location.search) return;
  history[isDraft ? 'replaceState' : 'pushState'](null, '', search);
  isDraft = true;
}

/** The next draft gets a history entry of its own. @param {string} siteId @param {string} query */
export function commitAddress(siteId, query) {
  draftAddress(siteId, query);
  isDraft = false;
}

/** @param {() => void} action after Back or Forward */
export function onReturn(action) {
  addEventListener('popstate', () => {
    isDraft = false;
    action();
  });
}
