import { textsOf } from '../language.ts';
import { de } from './de/embed.ts';
import { en } from './en/embed.ts';

export const useEmbedTexts = textsOf(en, de);
