import { defineElements } from './elements.ts';

/* What the three scripts for tags of QuantSearch share. Their attributes are those that its Drupal module writes. */

/** Of the place for a search, which QuantSearch's markup has before the script: one for each script. */
const PLACE_ID = 'quant-search';

/** The attributes of an element of ours; `undefined` for one that is not set. */
type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Makes the element that replaces the script's tag, with its common attributes and the `own` ones. The address of the
 * service is that of the script: no attribute names one.
 */
export function elementFor(script: HTMLScriptElement, name: string, own: Attributes): HTMLElement | undefined {
  const { siteId, theme, placeholder, color } = script.dataset;
  defineElements(script);
  if (!siteId) return void console.warn(`${script.src}: the tag needs data-site-id, the id of the site.`);
  const element = document.createElement(`site-search-${name}`);
  const api = new URL('..', script.src).href;
  const attributes = { site: siteId, api, theme, placeholder, filters: filtersOf(script), ...own };
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(attribute, value);
  if (color) paint(element, color);
  return element;
}

/** Filters that are no JSON are left out: the search works without them. */
function filtersOf({ dataset: { filters }, src }: HTMLScriptElement): string | undefined {
  if (!filters) return undefined;
  try {
    const value: unknown = JSON.parse(filters);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return filters;
  } catch {
    // The sentence below covers it.
  }
  return void console.warn(`${src}: data-filters must be a JSON object such as {"tags":"news"}, not ${filters}`);
}

/**
 * Sets the colour of the owner: on it black or white, whichever has more contrast (WCAG's luminance is the Y of XYZ).
 * Links and the focus ring take its hue, as dark or light as they must be to be seen.
 */
function paint({ style }: HTMLElement, color: string): void {
  if (!CSS.supports('color', color)) {
    console.warn(`data-color must be a colour, not ${color}`);
    return;
  }
  const ink = 'clamp(0, (.179 - y) * 9999, 1)';
  style.setProperty('--site-search-accent', color);
  style.setProperty(
    '--site-search-on-accent',
    `color(from ${color} xyz-d65 calc(.95 * ${ink}) ${ink} calc(1.09 * ${ink}))`,
  );
  const link = `light-dark(oklch(from ${color} min(l, .5) c h), oklch(from ${color} max(l, .78) c h))`;
  for (const name of ['link', 'focus']) style.setProperty(`--site-search-${name}`, link);
}

/** Puts the element into the place before the script, or else into the first empty place of the page. */
export function mount(script: HTMLScriptElement, element: HTMLElement): void {
  const before = script.previousElementSibling;
  whenThere(() => {
    const places = [...document.querySelectorAll(`#${PLACE_ID}`)];
    const place = before?.id === PLACE_ID ? before : places.find(({ childElementCount }) => childElementCount === 0);
    if (place) place.append(element);
    else if (document.body.contains(script)) script.before(element);
    else document.body.append(element);
  });
}

/** Calls when the page has been read: a script in the head may run before it has a body. */
export function whenThere(call: () => void): void {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', call, { once: true });
  else call();
}
