import { textsOf } from '../language.ts';
import { de } from './de/url.ts';
import { en } from './en/url.ts';

export const useUrlTexts = textsOf(en, de);
