/** Returns the URL of a page if its protocol is http(s), because nothing else becomes a link. @param {string} url */
export function webAddress(url) {
  try {
    const address = new URL(url);
    return /^https?:$/.test(address.protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}
