import { textsOf } from '../language.ts';
import { de } from './de/shell.ts';
import { en } from './en/shell.ts';

export const useShellTexts = textsOf(en, de);
