/**
 * Keeps the key for this tab and the chosen site for this browser. Without storage, keeps them while the page is open.
 */

const keyName = 'site-search.key';
const siteName = 'site-search.site';
const answersName = 'site-search.answers';
/** @type {string | undefined} */
let keyOfTab;

/** The key of this tab. */
export function tabKey() {
  keyOfTab ??= ifAllowed(() => sessionStorage.getItem(keyName)) ?? undefined;
  return keyOfTab;
}

/** Returns the key of `#key=…`, and removes it from the address so that it is not shared or bookmarked. */
export function takeLinkKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given === null) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return isKey(given) ? given : undefined;
}

/** @param {string} key */
export function rememberKey(key) {
  keyOfTab = key;
  ifAllowed(() => sessionStorage.setItem(keyName, key));
}

export function forgetKey() {
  keyOfTab = undefined;
  ifAllowed(() => sessionStorage.removeItem(keyName));
}

/** @param {string} siteId */
export function rememberSite(siteId) {
  ifAllowed(() => localStorage.setItem(siteName, siteId));
}

export function rememberedSite() {
  return ifAllowed(() => localStorage.getItem(siteName)) ?? undefined;
}

/** @param {boolean} isOn */
export function rememberAnswers(isOn) {
  ifAllowed(() => localStorage.setItem(answersName, isOn ? 'on' : 'off'));
}

/** Returns whether answers are shown, which is so unless they were turned off. */
export const rememberedAnswers = () => ifAllowed(() => localStorage.getItem(answersName)) !== 'off';

/** Tells whether the value can be sent in a header. The service checks the rest. @param {string} value */
const isKey = (value) => /^[\x21-\x7e]{1,300}$/.test(value);

/**
 * Runs an action. Returns undefined where the browser forbids storage or it is full. @template T @param {() => T}
 * action
 */
function ifAllowed(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}
