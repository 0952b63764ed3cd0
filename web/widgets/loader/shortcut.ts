const MOD = /^(?:Mac|iP)/.test(navigator.platform) ? 'Meta' : 'Control';
const MODIFIERS = ['Meta', 'Control', 'Alt', 'Shift'];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Reads `mod+k /`: combinations with blanks between them, in which `mod` is Command on Apple's systems and else Control.
 * Returns the value of `aria-keyshortcuts`: `Control+K /`; nothing for `off`.
 */
export const shortcutOf = (text: string): string =>
  text === 'off' ? '' : text.replace(/\w+/g, (word) => (word === 'mod' ? MOD : capital(word))).trim();

/** The first combination of a shortcut, for a key cap: `⌘ K`, `Ctrl K`. */
export const keyCap = (shortcut: string): string =>
  shortcut.replace(/ .*/, '').replace('Meta', '⌘').replace('Control', 'Ctrl').replaceAll('+', ' ');

/** Tells whether the event is a combination of the shortcut. A key without a modifier is none where somebody types. */
export function isShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const isSign = /^\W$/.test(event.key); // which some keyboards have behind Shift
  const held = MODIFIERS.filter((name) => event.getModifierState(name) && !(isSign && name === 'Shift'));
  const isTyped = held.length === 0 || held[0] === 'Shift';
  return shortcut.split(' ').includes([...held, capital(event.key)].join('+')) && !(isTyped && isField(event));
}

function isField(event: Event): boolean {
  const target = event.composedPath()[0] as HTMLElement;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
