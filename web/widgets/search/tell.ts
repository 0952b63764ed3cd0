/** Dispatches an event of an element; returns whether the page lets its effect happen. */
export function tell(host: Element, name: 'open' | 'query' | 'select' | 'answer', detail: object): boolean {
  return host.dispatchEvent(
    new CustomEvent(`site-search-${name}`, { bubbles: true, composed: true, cancelable: true, detail }),
  );
}
