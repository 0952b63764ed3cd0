/** What people may change on the elements: for the page that tries them out, and for the guide, whose tables are compared. */

export const ELEMENTS = ['button', 'modal', 'box', 'page', 'chat'] as const;
export type ElementName = (typeof ELEMENTS)[number];

type Option = {
  readonly name: string;
  /** The elements that have it; all, if absent. */
  readonly of?: readonly ElementName[];
  /** The values, if they are few; the first is the default. */
  readonly values?: readonly string[];
  /** What the field of a form shows as an example. */
  readonly example?: string;
};

const SEARCHES = ['button', 'modal', 'box', 'page'] as const;

export const ATTRIBUTES: readonly Option[] = [
  { name: 'site', example: 'the id of a site' },
  { name: 'group', example: 'the id of a group' },
  { name: 'api', example: 'https://search.example.com' },
  { name: 'filters', example: '{"language": "en"}' },
  { name: 'facets', of: ['page'], example: 'auto, or tags,language' },
  { name: 'answers', of: SEARCHES, values: ['off', 'ask', 'auto'] },
  { name: 'shortcut', of: ['button', 'modal'], example: 'mod+k /' },
  { name: 'placeholder', example: 'Search the documentation' },
  { name: 'theme', values: ['auto', 'light', 'dark'] },
  { name: 'lang', values: ['', 'en', 'de', 'fr', 'es', 'nl', 'pt', 'it', 'ja'] },
  { name: 'labels', example: '{"none": "Nothing about {query}"}' },
  { name: 'context-url', example: 'page' },
  { name: 'action', of: ['button', 'modal', 'box'], example: '/search' },
  { name: 'address', of: ['page'], values: ['on', 'off'] },
  { name: 'for', of: ['button'], example: 'the id of a modal' },
  { name: 'mode', of: ['chat'], values: ['bubble', 'panel'] },
  { name: 'position', of: ['chat'], values: ['bottom-right', 'bottom-left'] },
  { name: 'greeting', of: ['chat'], example: 'What would you like to know?' },
  { name: 'questions', of: ['chat'], example: '["How do I start?"]' },
];

/** The CSS variables, without their prefix `--site-search-`, with the kind of their values. */
export const VARIABLES: Readonly<Record<string, 'color' | 'length' | 'text'>> = {
  accent: 'color',
  'on-accent': 'color',
  background: 'color',
  surface: 'color',
  text: 'color',
  muted: 'color',
  link: 'color',
  mark: 'color',
  'on-mark': 'color',
  hover: 'color',
  border: 'color',
  edge: 'color',
  focus: 'color',
  danger: 'color',
  backdrop: 'color',
  font: 'text',
  'font-size': 'length',
  radius: 'length',
  'field-radius': 'length',
  'field-height': 'length',
  gap: 'length',
  width: 'length',
  top: 'length',
  'list-height': 'length',
  'sidebar-width': 'length',
  'chat-width': 'length',
  'chat-height': 'length',
  shadow: 'text',
};

/** The attributes of an element. */
export const attributesOf = (element: ElementName): readonly Option[] =>
  ATTRIBUTES.filter(({ of = ELEMENTS }) => of.includes(element));

/** The line of HTML that makes an element. */
export function htmlOf(element: ElementName, attributes: Readonly<Record<string, string>>): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== '');
  const written = given.map(([name, value]) => ` ${name}="${value.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`);
  return `<site-search-${element}${written.join('')}></site-search-${element}>`;
}
