import { html, nothing, type TemplateResult } from 'lit/html.js';
import { filled, type Texts } from '../labels/labels.ts';
import { type Choice, isList, type Range } from './choices.ts';
import type { Facet, Facets } from './facets.ts';

/** Values before a list is opened. */
const FEW = 7;

export type FacetView = {
  readonly facets: Facets;
  readonly texts: Texts;
  readonly opened: Set<string>;
  readonly update: () => void;
  /** Something was chosen. */
  readonly changed: () => void;
};

/** The facets, each with its values or its range. */
export function facetPane(view: FacetView): TemplateResult[] {
  const { facets, texts } = view;
  return facets.shown().map(
    (facet) => html`<fieldset class="facet" part="facet">
      <legend>${labelOf(facet, texts)}</legend>
      ${facet.type === 'string' ? values(facet, view) : bounds(facet, view)}
    </fieldset>`,
  );
}

/** The two fields that every site has are named by the widget. */
function labelOf({ name, label }: Facet, { labels }: Texts): string {
  if (name === 'tags' && /^tags$/i.test(label)) return labels.tags;
  return name === 'language' && /^language$/i.test(label) ? labels.language : label;
}

/** A value as people read it: languages have names. */
export function valueText(name: string, value: string, { language }: Texts): string {
  if (name !== 'language') return value;
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(value) ?? value;
  } catch {
    return value;
  }
}

function values({ name, values: all }: Extract<Facet, { type: 'string' }>, view: FacetView): TemplateResult {
  const { facets, texts, opened, update, changed } = view;
  const choice = facets.chosen.get(name);
  const chosen = isList(choice) ? choice : [];
  const missing = chosen.filter((value) => !all.some((each) => each.value === value));
  const listed = [...missing.map((value) => ({ value, count: 0 })), ...all];
  const few =
    opened.has(name) || listed.length <= FEW + 1
      ? listed
      : listed.filter(({ value }, i) => i < FEW || chosen.includes(value));
  const choose = (value: string, isOn: boolean) => {
    facets.choose(name, isOn ? [...chosen, value] : chosen.filter((each) => each !== value));
    changed();
  };
  const open = () => {
    opened.add(name);
    update();
  };
  return html`${few.map(
    ({ value, count }) => html`<label class="value">
      <input type="checkbox" .checked=${chosen.includes(value)}
        @change=${({ target }: Event) => choose(value, (target as HTMLInputElement).checked)}>
      <span dir="auto">${valueText(name, value, texts)}</span>
      <small>${count.toLocaleString(texts.language)}</small>
    </label>`,
  )}
  ${
    few.length < listed.length
      ? html`<button class="plain" type="button" @click=${open}>
          ${filled(texts.labels.showAll, { count: listed.length.toLocaleString(texts.language) })}
        </button>`
      : nothing
  }`;
}

function bounds(facet: Exclude<Facet, { type: 'string' }>, { facets, texts, changed }: FacetView): TemplateResult {
  const { name, type } = facet;
  const day = (value: string | number) => (type === 'date' ? String(value).slice(0, 10) : String(value));
  const choice = facets.chosen.get(name);
  const range: Range = choice && !isList(choice) ? choice : {};
  const sides = [
    ['from', texts.labels.from],
    ['to', texts.labels.to],
  ] as const;
  return html`<div class="range">${sides.map(
    ([side, label]) => html`<label>${label}
      <input type=${type} min=${day(facet.min)} max=${day(facet.max)} placeholder=${day(side === 'from' ? facet.min : facet.max)}
        step="any" .value=${range[side] ?? ''}
        @change=${({ target }: Event) => {
          facets.choose(name, { ...range, [side]: (target as HTMLInputElement).value });
          changed();
        }}>
    </label>`,
  )}</div>`;
}

/** What is chosen, each with a button that removes it. */
export function chips({ facets, texts, changed }: FacetView): TemplateResult | typeof nothing {
  if (facets.chosen.size === 0) return nothing;
  const { labels } = texts;
  const chip = (text: string, name: string, rest: Choice) => html`<button class="chip chosen" part="chip" type="button"
    aria-label=${filled(labels.remove, { value: text })}
    @click=${() => {
      facets.choose(name, rest);
      changed();
    }}><span dir="auto">${text}</span><svg viewBox="0 0 20 20" aria-hidden="true"><path d="m6 6 8 8m0-8-8 8" /></svg></button>`;
  const all = [...facets.chosen].flatMap(([name, choice]) =>
    isList(choice)
      ? choice.map((value) =>
          chip(
            valueText(name, value, texts),
            name,
            choice.filter((each) => each !== value),
          ),
        )
      : [chip(`${choice.from ?? ''} – ${choice.to ?? ''}`.trim(), name, [])],
  );
  const clear = () => {
    facets.set(new Map());
    changed();
  };
  return html`<div class="chips">${all}${
    all.length > 1 ? html`<button class="plain" type="button" @click=${clear}>${labels.removeAll}</button>` : nothing
  }</div>`;
}
