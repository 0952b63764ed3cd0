import { textsOf } from '../language.ts';
import { de } from './de/playground.ts';
import { en } from './en/playground.ts';

export const usePlaygroundTexts = textsOf(en, de);
