import { textsOf } from '../language.ts';
import { de } from './de/groups.ts';
import { en } from './en/groups.ts';

export const useGroupsTexts = textsOf(en, de);
