import { textsOf } from '../language.ts';
import { de } from './de/sites.ts';
import { en } from './en/sites.ts';

export const useSiteTexts = textsOf(en, de);
