import type { EmbedAddress, Widget } from './address.ts';

/** The attributes that a widget has, besides those of all widgets. */
const OWN: Readonly<Record<Widget, readonly (keyof EmbedAddress)[]>> = {
  button: ['answers', 'placeholder', 'shortcut', 'facets', 'filters'],
  modal: ['answers', 'placeholder', 'shortcut', 'facets', 'filters'],
  box: ['answers', 'placeholder', 'filters'],
  page: ['answers', 'placeholder', 'facets', 'filters'],
  chat: ['mode', 'placeholder', 'filters'],
};
const OF_ALL = ['theme', 'lang'] as const;

export const attributeNames = (widget: Widget): readonly (keyof EmbedAddress)[] => [...OWN[widget], ...OF_ALL];

export type Attributes = Readonly<Record<string, string>>;

/** The attributes of a widget, those with their defaults left out. */
export function attributesOf(widget: Widget, siteId: string, address: EmbedAddress): Attributes {
  const given = attributeNames(widget).flatMap((name) => {
    const value = address[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { site: siteId, ...Object.fromEntries(given) };
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function elementOf(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`);
  return `<${name}${written.join('')}></${name}>`;
}

/** The lines of HTML for a web page. */
export function codeOf(widget: Widget, attributes: Attributes): string {
  const script = `<script async src="${location.origin}/v1/site-search.js"></script>`;
  if (widget !== 'modal') return [script, elementOf(`site-search-${widget}`, attributes)].join('\n');
  const opener = '<button type="button" id="open-search">Search</button>';
  const code = [
    '<script>',
    "  document.getElementById('open-search').onclick = () => document.querySelector('site-search-modal').open();",
    '</script>',
  ].join('\n');
  return [script, elementOf('site-search-modal', attributes), opener, code].join('\n');
}
