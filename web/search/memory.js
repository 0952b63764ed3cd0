/** What the tab and the browser remember; both work without storage, then only as long as the page. */

const keyName = 'site-search.key';
const siteName = 'site-search.site';
/** @type {string | undefined} */
let heldKey;

/** Takes the key out of `#key=…`, so that no shared or bookmarked address carries it; else gives the one of this tab. */
export function takeKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given !== null) {
    history.replaceState(history.state, '', location.pathname + location.search);
    heldKey = isKey(given) ? given : undefined;
    if (heldKey) guarded(() => sessionStorage.setItem(keyName, given));
  }
  heldKey ??= guarded(() => sessionStorage.getItem(keyName)) ?? undefined;
  return heldKey;
}

export function forgetKey() {
  heldKey = undefined;
  guarded(() => sessionStorage.removeItem(keyName));
}

/** @param {string} siteId */
export function rememberSite(siteId) {
  guarded(() => localStorage.setItem(siteName, siteId));
}

export function rememberedSite() {
  return guarded(() => localStorage.getItem(siteName)) ?? undefined;
}

/** Anything else could not be sent as a header; the service judges the rest. @param {string} value */
const isKey = (value) => /^[\x21-\x7e]{1,300}$/.test(value);

/** Storage throws where the browser forbids it or is full. @template T @param {() => T} action */
function guarded(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}
