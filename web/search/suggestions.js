/**
 * The list of page titles under the field. Arrow keys choose a title while the cursor stays in the field (ARIA
 * combobox).
 */

/** @import { Suggestion } from './service.js' */
/** @typedef {ReturnType<typeof createSuggestions>} Suggestions */

const pauseMs = 80;

/**
 * @param {{
 *   field: HTMLInputElement, list: HTMLElement,
 *   ask: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>
 * }} parts
 */
export function createSuggestions({ field, list, ask }) {
  /** Index of the chosen suggestion; -1 is the field itself. */
  let chosen = -1;
  let running = new AbortController();
  let timer = 0;

  const options = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="option"]')]);
  const isOpen = () => !list.hidden;

  /** @param {number} index */
  function choose(index) {
    chosen = index;
    for (const [i, option] of options().entries()) option.setAttribute('aria-selected', String(i === index));
    if (index < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `suggestion-${index}`);
  }

  /** @param {readonly Suggestion[]} suggestions */
  function show(suggestions) {
    list.replaceChildren(...suggestions.map(toOption));
    list.hidden = suggestions.length === 0;
    field.setAttribute('aria-expanded', String(isOpen()));
    choose(-1);
  }

  function close() {
    clearTimeout(timer);
    running.abort();
    show([]);
  }

  async function load() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const text = field.value.trim();
    if (!text) return show([]);
    const found = await ask(text, signal).catch(() => []);
    if (!signal.aborted && document.activeElement === field) show(found);
  }

  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(load, pauseMs);
  });
  field.addEventListener('blur', () => setTimeout(close, 150));
  return {
    close,
    isOpen,
    /** Moves the choice. Returns false at the ends, where the arrow leaves the list. @param {1 | -1} step */
    move(step) {
      const next = chosen + step;
      if (!isOpen() || next < -1 || next >= options().length) return false;
      choose(next);
      return true;
    },
    /** Opens the chosen page. Returns false if none is chosen. */
    open() {
      const option = options()[chosen];
      if (!isOpen() || !option) return false;
      option.click();
      return true;
    },
  };
}

/** @param {Suggestion} suggestion @param {number} index */
function toOption({ text, url }, index) {
  const option = document.createElement('a');
  option.id = `suggestion-${index}`;
  option.href = url;
  option.tabIndex = -1;
  option.textContent = text;
  option.setAttribute('role', 'option');
  return option;
}
