import { type GivenSearch, oneOf, textIn } from '../../address.ts';

export const WIDGETS = ['button', 'modal', 'box', 'page', 'chat'] as const;
export type Widget = (typeof WIDGETS)[number];
export const THEMES = ['light', 'dark'] as const;
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'pt', 'it', 'ja'] as const;
export const ANSWERS = ['off', 'ask', 'auto'] as const;
export const CHAT_MODES = ['bubble'] as const;

/** The widget that is shown, and its attributes. What is undefined has the default of the widget. */
export type EmbedAddress = {
  readonly widget?: Widget | undefined;
  readonly theme?: (typeof THEMES)[number] | undefined;
  readonly lang?: (typeof LANGUAGES)[number] | undefined;
  readonly answers?: (typeof ANSWERS)[number] | undefined;
  readonly mode?: (typeof CHAT_MODES)[number] | undefined;
  readonly placeholder?: string | undefined;
  readonly shortcut?: string | undefined;
  readonly facets?: string | undefined;
  readonly filters?: string | undefined;
};

export const parseEmbed = (given: GivenSearch): EmbedAddress => ({
  widget: oneOf(given, 'widget', WIDGETS),
  theme: oneOf(given, 'theme', THEMES),
  lang: oneOf(given, 'lang', LANGUAGES),
  answers: oneOf(given, 'answers', ANSWERS),
  mode: oneOf(given, 'mode', CHAT_MODES),
  placeholder: textIn(given, 'placeholder'),
  shortcut: textIn(given, 'shortcut'),
  facets: textIn(given, 'facets'),
  filters: textIn(given, 'filters'),
});
