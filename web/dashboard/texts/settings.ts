import { textsOf } from '../language.ts';
import { de } from './de/settings.ts';
import { en } from './en/settings.ts';

export const useSettingsTexts = textsOf(en, de);
