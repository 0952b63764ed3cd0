import { createValue, useValue } from './value.ts';

export type Language = 'en' | 'de';

const NAME = 'site-search.language';

const chosen = localStorage.getItem(NAME) ?? navigator.language;
export const language = createValue<Language>(chosen.startsWith('de') ? 'de' : 'en');

export function setLanguage(next: Language): void {
  localStorage.setItem(NAME, next);
  language.set(next);
}

type Kept = ((...given: never) => unknown) | readonly unknown[];

/** The type of a translation: the same names, texts in place of texts. Functions and lists have the same types. */
export type Texts<T> = {
  readonly [Name in keyof T]: T[Name] extends string ? string : T[Name] extends Kept ? T[Name] : Texts<T[Name]>;
};

/** Returns a function of React that gives the texts of an area in the language of the user. */
export function textsOf<T>(en: T, de: Texts<T>): () => Texts<T> {
  return () => (useValue(language) === 'de' ? de : (en as Texts<T>));
}
