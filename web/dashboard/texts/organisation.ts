import { textsOf } from '../language.ts';
import { de } from './de/organisation.ts';
import { en } from './en/organisation.ts';

export const useOrganisationTexts = textsOf(en, de);
