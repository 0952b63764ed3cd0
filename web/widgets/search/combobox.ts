import type { SiteSearchElement } from '../loader/elements.ts';

export type Combobox = {
  /** Sets what the field says of its list, after each change of the list. */
  readonly refresh: () => void;
  /** Selects nothing, as before an arrow key. */
  readonly reset: () => void;
};

type ComboboxParts = {
  /** The list with its options, if there is one. */
  readonly list: () => Element | null;
  /** Enter while nothing is selected. */
  readonly enter: (isModified: boolean) => void;
  readonly cancel: () => void;
};

/** The keyboard of a field with a list below it (ARIA 1.2, combobox). The focus stays in the field. */
export function createCombobox({ input }: SiteSearchElement, { list, enter, cancel }: ComboboxParts): Combobox {
  let selected: string | undefined;

  const options = () => [...(list()?.querySelectorAll<HTMLElement>('[role=option]') ?? [])];

  function refresh(): void {
    const all = options();
    const active = all.find(({ id }) => id === selected);
    selected = active?.id;
    for (const option of all) option.setAttribute('aria-selected', String(option === active));
    input.setAttribute('aria-expanded', String(all.length > 0));
    setOrRemove('aria-controls', all.length > 0 ? list()?.id : undefined);
    setOrRemove('aria-activedescendant', selected);
  }

  function setOrRemove(name: string, value: string | undefined): void {
    if (value) input.setAttribute(name, value);
    else input.removeAttribute(name);
  }

  /** Before the first and after the last option, nothing is selected. */
  function move(step: number): void {
    const all = options();
    const at = all.findIndex(({ id }) => id === selected) + 1;
    const next = all[((at + step + all.length + 1) % (all.length + 1)) - 1];
    selected = next?.id;
    refresh();
    next?.scrollIntoView({ block: 'nearest' });
  }

  function press(event: KeyboardEvent): void {
    const { ctrlKey, metaKey, shiftKey } = event;
    const option = options().find(({ id }) => id === selected);
    // A click with the same keys opens a tab or a window, as on any link.
    if (option)
      option.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, ctrlKey, metaKey, shiftKey }),
      );
    else enter(ctrlKey || metaKey);
  }

  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') press(event);
    else if (event.key === 'Escape') cancel();
    else return;
    event.preventDefault();
  });
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
  }))
    input.setAttribute(name, value);
  refresh();
  return {
    refresh,
    reset() {
      selected = undefined;
      refresh();
    },
  };
}
