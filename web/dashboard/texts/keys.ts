import { textsOf } from '../language.ts';
import { de } from './de/keys.ts';
import { en } from './en/keys.ts';

export const useKeysTexts = textsOf(en, de);
