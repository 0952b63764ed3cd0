import { textsOf } from '../language.ts';
import { de } from './de/crawl.ts';
import { en } from './en/crawl.ts';

export const useCrawlTexts = textsOf(en, de);
