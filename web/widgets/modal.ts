import { html, render } from 'lit/html.js';
import type { Texts } from './labels/labels.ts';
import type { SiteSearchElement, View } from './loader/elements.ts';
import { iconButton } from './search/field.ts';
import { createSearchList } from './search/search-list.ts';
import { tell } from './search/tell.ts';

/** Fills the dialog of a `<site-search-modal>`. */
export async function mount(host: SiteSearchElement): Promise<View> {
  const { shadowRoot: shadow, frame, input, form } = host;
  const dialog = shadow?.querySelector('dialog');
  const close = () => dialog?.close();

  const list = await createSearchList(host, {
    limit: 12,
    sections: 1,
    empty: (texts) => html`<slot name="empty">${emptyState(texts)}</slot>`,
    draw(content, texts) {
      const isOwn = host.querySelector(':scope > [slot=footer]') !== null;
      const foot = html`<div class="foot" ?data-own=${isOwn} part="footer"><slot name="footer">${keys(texts)}</slot></div>`;
      render(html`${content}${foot}`, frame);
      render(iconButton('close', texts.labels.close, close), form);
      if (dialog) dialog.ariaLabel = texts.labels.search;
    },
    close,
  });

  let isTold = false;
  dialog?.addEventListener('close', () => {
    isTold = false;
  });
  dialog?.addEventListener('click', ({ target }) => {
    if (target === dialog) close();
  });
  await list.changed();
  return {
    open() {
      if (!isTold) tell(host, 'open', { query: input.value });
      isTold = true;
      list.show();
    },
    close,
    changed: () => void list.changed(),
  };
}

const emptyState = ({ labels }: Texts) =>
  html`<div class="state" part="empty">
    <p class="lead">${labels.empty}</p>
    <p>${labels.emptyHint}</p>
  </div>`;

const keys = ({ labels }: Texts) =>
  html`<p class="keys" aria-hidden="true">
    <span><kbd>↑</kbd><kbd>↓</kbd> ${labels.keyMove}</span>
    <span><kbd>↵</kbd> ${labels.keyOpen}</span>
    <span><kbd>esc</kbd> ${labels.keyClose}</span>
  </p>`;
