/** The address of a page, if it is one of http(s); nothing else becomes a link. @param {string} url */
export function webAddress(url) {
  try {
    const address = new URL(url);
    return /^https?:$/.test(address.protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}
