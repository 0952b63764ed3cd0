/*
 * Scripts that run in a page, as text. The first runs before the page's own scripts. The others run in an isolated
 * world, where the page cannot redefine the functions of the DOM.
 */

/** Removes what could outlive the page or connect without the proxy. Opens shadow trees to the reader. */
export const BEFORE_PAGE = `(() => {
  delete Navigator.prototype.serviceWorker;
  delete Navigator.prototype.registerProtocolHandler;
  const channels = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'SharedWorker'];
  for (const name of channels) delete window[name];
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    return attach.call(this, { ...init, mode: 'open' });
  };
})()`;

/** Computes a number that changes when the page does, from all its nodes including shadow trees. */
export const FINGERPRINT = `(() => {
  let sum = 0;
  const add = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      sum = (Math.imul(sum, 31) + (node.nodeType === 3 ? node.data.length : 1)) | 0;
      if (node.shadowRoot) add(node.shadowRoot);
    }
  };
  add(document);
  return sum;
})()`;

/** Returns the page as HTML, with shadow trees in place of their hosts' content. */
export const HTML = `(() => {
  const hasShadow = (root) => [...root.querySelectorAll('*')].some((element) => element.shadowRoot);
  if (!hasShadow(document)) return '<!doctype html>' + (document.documentElement?.outerHTML ?? '');
  const inert = document.implementation.createHTMLDocument('');
  const shown = (node) => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    const assigned = node.localName === 'slot' ? node.assignedNodes() : [];
    return assigned.length > 0 ? assigned : node.childNodes;
  };
  const copy = (node, depth) => {
    const made = inert.importNode(node, false);
    if (depth < 400) for (const child of shown(node)) made.appendChild(copy(child, depth + 1));
    return made;
  };
  return '<!doctype html>' + copy(document.documentElement, 0).outerHTML;
})()`;
