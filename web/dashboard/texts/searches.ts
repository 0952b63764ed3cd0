import { textsOf } from '../language.ts';
import { de } from './de/searches.ts';
import { en } from './en/searches.ts';

export const useSearchesTexts = textsOf(en, de);
