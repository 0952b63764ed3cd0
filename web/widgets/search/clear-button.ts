import { nothing, render } from 'lit/html.js';
import type { Texts } from '../labels/labels.ts';
import type { SiteSearchElement } from '../loader/elements.ts';
import { iconButton } from './field.ts';

/** A button that empties the field. */
export function renderClear({ form, input }: SiteSearchElement, { labels }: Texts, clear: () => void): void {
  const emptied = () => {
    input.value = '';
    input.focus();
    clear();
  };
  render(input.value === '' ? nothing : iconButton('clear', labels.clear, emptied), form);
}
