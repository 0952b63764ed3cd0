import { html, type TemplateResult } from 'lit/html.js';
import type { Texts } from '../labels/labels.ts';
import type { SiteSearchElement } from '../loader/elements.ts';
import css from '../style/content.css?inline';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

const ATTRIBUTES = {
  name: 'q',
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: 'false',
  enterkeyhint: 'search',
  maxlength: '2000',
  dir: 'auto',
};

/** Adds what the field needs once somebody searches, and the styles of what is below it. */
export function prepare({ shadowRoot, input, form }: SiteSearchElement): void {
  shadowRoot?.adoptedStyleSheets.push(sheet);
  for (const [name, value] of Object.entries(ATTRIBUTES)) input.setAttribute(name, value);
  form.setAttribute('role', 'search');
}

/** Shows the words of the field in the language of the texts, and whether a search is running. */
export function refreshField(host: SiteSearchElement, { labels, language }: Texts, isRunning: boolean): void {
  const { input, frame } = host;
  input.placeholder = host.getAttribute('placeholder') ?? labels.placeholder;
  input.ariaLabel = labels.search;
  frame.lang = language;
  frame.toggleAttribute('data-busy', isRunning);
}

/** A button with a cross. */
export const iconButton = (part: string, name: string, pressed: () => void): TemplateResult =>
  html`<button class="cross" part=${part} type="button" aria-label=${name} @click=${pressed}>
    <svg viewBox="0 0 20 20" aria-hidden="true"><path d="m5 5 10 10m0-10-10 10" /></svg>
  </button>`;
