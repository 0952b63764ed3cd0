import { labels as english, type Labels } from './en.ts';

type LabelsModule = { readonly labels: Labels };

/** English is part of each widget. The others are loaded if a page needs them. */
const LANGUAGES: Readonly<Record<string, () => Promise<LabelsModule>>> = {
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
  es: () => import('./es.ts'),
  nl: () => import('./nl.ts'),
  pt: () => import('./pt.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
};

/** The texts of an element with the language that they are in. */
export type Texts = { readonly language: string; readonly labels: Labels };

/** Returns the texts in the language of the element: by its `lang`, or that of the nearest ancestor with one. */
export async function textsOf(host: Element): Promise<Texts> {
  const named = host.closest('[lang]')?.getAttribute('lang') ?? '';
  const language = named.toLowerCase().split('-')[0] ?? '';
  const load = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  const { labels } = (await load?.().catch(() => undefined)) ?? { labels: english };
  return { language: labels === english ? 'en' : language, labels: { ...labels, ...replacedBy(host) } };
}

/** The texts that the page gives. Anything else in it is ignored, so that a misspelling breaks nothing. */
function replacedBy(host: Element): Partial<Labels> {
  const given = Object.entries(objectOf(host, 'labels'));
  return Object.fromEntries(given.filter(([name, text]) => name in english && typeof text === 'string'));
}

type Given = Readonly<Record<string, unknown>>;

/**
 * The object that the page gives by a property of the element or, as JSON, by its attribute; an empty one if it gives
 * none, which the console says.
 */
export function objectOf(host: Element, name: 'filters' | 'labels'): Given {
  const text = host.getAttribute(name);
  try {
    const value = (host as unknown as Given)[name] ?? (text ? JSON.parse(text) : {});
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The sentence below covers it.
  }
  console.warn(`<${host.localName}>: the attribute ${name} must be a JSON object, not ${text}`);
  return {};
}

/** Fills the names in braces. */
export function filled(label: string, values: Readonly<Record<string, string | number>>): string {
  return label.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The parts of a text with a value for each name in braces, for templates. */
export function partsOf<Value>(label: string, values: Readonly<Record<string, Value>>): readonly (string | Value)[] {
  return label.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
}
