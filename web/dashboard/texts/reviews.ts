import { textsOf } from '../language.ts';
import { de } from './de/reviews.ts';
import { en } from './en/reviews.ts';

export const useReviewTexts = textsOf(en, de);
