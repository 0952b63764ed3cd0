import { textsOf } from '../language.ts';
import { de } from './de/charts.ts';
import { en } from './en/charts.ts';

export const useChartTexts = textsOf(en, de);
