/** Shows each element of the widgets with all of its attributes and CSS variables, live, and the code for it. */

import { attributesOf, ELEMENTS, type ElementName, htmlOf, VARIABLES } from '../widgets/options.ts';

const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const form = byId('options') as HTMLFormElement;
const script = new URL('/v1/site-search.js', location.href).href;
const EVENTS = ['open', 'query', 'select', 'answer'];
const MAX_EVENTS = 50;
/** What an element needs beside its attributes: nothing but a modal, which a button or a key opens. */
const HINTS: Partial<Record<ElementName, string>> = { modal: 'Press Ctrl+K, ⌘K or /.' };

const site = new URLSearchParams(location.search).get('site') ?? (await demoSite()) ?? '';
let element: ElementName = 'button';
let values: Record<string, string> = { site };

showChoices();
start();
form.addEventListener('input', ({ target }) => {
  const isChoice = target instanceof HTMLInputElement && target.name === 'element';
  (isChoice ? start : show)();
});
form.addEventListener('reset', () => {
  values = { site };
  setTimeout(start); // after the browser has reset the fields
});
byId('copy').addEventListener('click', () => navigator.clipboard.writeText(byId('code').textContent));
for (const name of EVENTS)
  byId('stage').addEventListener(`site-search-${name}`, (event) => {
    const line = document.createElement('li');
    line.textContent = `site-search-${name} ${JSON.stringify((event as CustomEvent).detail).slice(0, 500)}`;
    byId('events').prepend(line);
    byId('events').children[MAX_EVENTS]?.remove();
  });
const loader = document.createElement('script');
loader.src = script;
document.head.append(loader);

function showChoices(): void {
  const choices = ELEMENTS.map((name) => {
    const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'element', value: name });
    input.defaultChecked = name === element;
    return labelled(name, input);
  });
  byId('elements').replaceChildren(...choices);
  const fields = Object.entries(VARIABLES).map(([name, kind]) => {
    const input = Object.assign(document.createElement('input'), { type: 'text', name: `--site-search-${name}` });
    input.placeholder = { color: '#2f57c9', length: '16px', text: 'as in CSS' }[kind];
    return labelled(name, input);
  });
  byId('variables').replaceChildren(...fields);
}

/** Shows the fields of the chosen element, with what they held. */
function start(): void {
  element = ELEMENTS.find((name) => name === new FormData(form).get('element')) ?? 'button';
  const fields = attributesOf(element).map(({ name, values: choices, example = '' }) => {
    const field = choices ? document.createElement('select') : document.createElement('input');
    field.name = name;
    if (field instanceof HTMLInputElement) field.placeholder = example;
    else field.append(...(choices ?? []).map((choice) => new Option(choice || 'as the page', choice)));
    field.value = values[name] ?? choices?.[0] ?? '';
    return labelled(name, field);
  });
  byId('attributes').replaceChildren(...fields);
  show();
}

function show(): void {
  const data = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  const styles = data.filter(([name, value]) => name.startsWith('--') && value !== '');
  const isDefault = (name: string, value: string) =>
    attributesOf(element).find((option) => option.name === name)?.values?.[0] === value;
  const given = data.filter(([name, value]) => !/^--|^element$/.test(name) && value !== '' && !isDefault(name, value));
  values = Object.fromEntries(given);
  const shown = document.createElement(`site-search-${element}`);
  for (const [name, value] of given) shown.setAttribute(name, value);
  if (element === 'page') shown.setAttribute('address', 'off');
  for (const [name, value] of styles) shown.style.setProperty(name, value);
  byId('stage').replaceChildren(shown, HINTS[element] ?? '');
  markBadJson();
  byId('code').textContent = codeOf(styles);
}

function codeOf(styles: readonly (readonly [string, string])[]): string {
  const rules = styles.map(([name, value]) => `    ${name}: ${value};`);
  const style = ['<style>', `  site-search-${element} {`, ...rules, '  }', '</style>'];
  const tag = `<script async src="${script}"></script>`;
  return [tag, htmlOf(element, values), ...(styles.length > 0 ? style : [])].join('\n');
}

/** An element ignores JSON that it cannot read. */
function markBadJson(): void {
  for (const name of ['filters', 'labels', 'questions']) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.ariaInvalid = String(field.value !== '' && !isJson(field.value));
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function labelled(text: string, field: HTMLElement): HTMLElement {
  const label = document.createElement('label');
  const isChoice = field instanceof HTMLInputElement && field.type === 'radio';
  label.append(...(isChoice ? [field, ` ${text}`] : [text, field]));
  return label;
}

async function demoSite(): Promise<string | undefined> {
  const response = await fetch('/demo-site.json').catch(() => undefined);
  const { siteId }: { siteId?: unknown } = response?.ok ? await response.json() : {};
  return typeof siteId === 'string' ? siteId : undefined;
}
