import { html, nothing, render } from 'lit/html.js';
import type { SiteSearchElement, View } from './loader/elements.ts';
import { renderClear } from './search/clear-button.ts';
import { createDropDown } from './search/drop-down.ts';
import { createSearchList } from './search/search-list.ts';
import { createSuggestions } from './search/suggestions.ts';
import { tell } from './search/tell.ts';

/** Adds the drop-down to the field of a `<site-search-box>`. */
export async function mount(host: SiteSearchElement): Promise<View> {
  const { frame, input, form } = host;
  const popover = document.createElement('div');
  popover.popover = 'manual';
  popover.className = 'drop';
  popover.tabIndex = -1;
  popover.setAttribute('part', 'dropdown');
  frame.append(popover);
  const dropDown = createDropDown(form, popover, (event) => {
    if (!event.composedPath().includes(host)) close();
  });

  const list = await createSearchList(host, {
    limit: 8,
    sections: 0,
    empty: () => nothing,
    suggestions: () => suggestions.template(choose),
    draw(content, texts) {
      render(html`${content}<slot name="footer"></slot>`, popover);
      renderClear(host, texts, typed);
    },
    close,
  });
  const suggestions = createSuggestions(list.search, list.update);

  function close(): void {
    dropDown.hide();
    input.ariaExpanded = 'false';
  }

  function show(): void {
    if (input.value.trim() === '') {
      close();
      return;
    }
    if (!dropDown.isOpen()) tell(host, 'open', { query: input.value });
    dropDown.show();
  }

  function choose(query: string): void {
    input.value = query;
    void list.search.now(query);
  }

  function typed(): void {
    void suggestions.ask(input.value);
    show();
  }

  input.addEventListener('input', typed);
  input.addEventListener('focus', show);
  input.addEventListener('click', show);
  frame.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !frame.contains(relatedTarget)) close();
  });
  await list.changed();
  function open(): void {
    list.show();
    typed();
  }

  if (input.value !== '') open();
  return {
    open,
    close,
    changed: () => void list.changed(),
  };
}
