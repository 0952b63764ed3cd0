import { textsOf } from '../language.ts';
import { de } from './de/forms.ts';
import { en } from './en/forms.ts';

export const useFormTexts = textsOf(en, de);
