import { defined } from '../defined.ts';
import { NO_SOURCE_VALUES } from '../fields/source-values.ts';
import { longPattern } from '../long-pattern.ts';
import { oneLine } from '../metadata/page-head.ts';
import { textLanguage } from '../metadata/page-language.ts';
import { pageSummary } from '../metadata/page-summary.ts';
import { extractedTags } from '../metadata/page-tags.ts';
import { titleFromAddress, titleFromText, withoutTitle } from '../metadata/title-from-blocks.ts';
import { type Block, type PageContent, plainText } from '../page-content.ts';
import { pdfBlocks } from './pdf-blocks.ts';
import type { PdfDocument } from './pdf-document.ts';

/** Default titles that programs write into files. */
const NO_TITLE = longPattern(
  String.raw`
    ^(?:untitled|no title|document\d*|slide \d+|microsoft \w+ - .*
      |.*\.(?:docx?|pdf|tex|dvi|indd|qxd|odt|ps|pptx?|xlsx?|fm|rtf))$`,
  'i',
);
const MAX_TITLE_LENGTH = 200;
const LANGUAGE = /^[a-z]{2,3}(?=[-_]|$)/i;

/** Returns the content of a document; undefined if it has no letters, such as a scan without recognised text. */
export function extractPdf(document: PdfDocument, url: string): PageContent | undefined {
  const found = pdfBlocks(document);
  if (!/[\p{L}\p{N}]/u.test(plainText({ blocks: found }))) return undefined;
  const title = titleOf(document, found) || titleFromText(found) || titleFromAddress(url);
  const blocks = withoutTitle(found, title);
  const declared = LANGUAGE.exec(document.language?.trim() ?? '')?.[0].toLowerCase();
  const language = declared ?? textLanguage(blocks);
  const description = pageSummary('', title, blocks);
  const publishedAt = document.created === undefined ? undefined : pdfDate(document.created);
  return {
    title,
    ...defined({ description, language, publishedAt }),
    tags: extractedTags({ title, blocks, language }),
    blocks,
    ...(document.isCut && { isCut: true }),
    links: [],
    noindex: false,
    nofollow: false,
    sourceValues: NO_SOURCE_VALUES,
  };
}

/** Returns the title in the file's properties, else the largest heading of the first page that has one. */
function titleOf({ title = '' }: PdfDocument, blocks: readonly Block[]): string {
  const given = oneLine(title);
  if (given.length > 2 && given.length <= MAX_TITLE_LENGTH && /\p{L}/u.test(given) && !NO_TITLE.test(given))
    return given;
  const headings = blocks.filter((block) => block.kind === 'heading');
  const onFirst = headings.filter(({ page }) => page === headings[0]?.page);
  const level = Math.min(...onFirst.map((heading) => heading.level));
  return onFirst.find((heading) => heading.level === level)?.text ?? '';
}

const DATE = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?/;

/** Converts a PDF's date (ISO 32000-1, 7.9.4) to ISO 8601; undefined for a date that no calendar has. */
function pdfDate(text: string): string | undefined {
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', zone, zoneMinutes = '00'] =
    DATE.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const offset = zone === undefined || zone === 'Z' ? 'Z' : `${zone}:${zoneMinutes}`;
  const whole = hour === undefined ? date : `${date}T${hour}:${minute}:${second}${offset}`;
  const time = Date.parse(whole);
  return Number.isNaN(time) || Number(year) < 1980 ? undefined : whole;
}
