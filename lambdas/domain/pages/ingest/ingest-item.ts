import { createHash } from 'node:crypto';
import { defined } from '../../../text/defined.ts';
import { EXTRACTION_VERSION } from '../../../text/extraction/extraction-version.ts';
import type { SourcedFields } from '../../../text/fields/field-source.ts';
import { filledFields, withGiven } from '../../../text/fields/filled-fields.ts';
import { MAX_URL_LENGTH, normaliseUrl, urlHash } from '../../../text/web/url.ts';
import { withoutControls } from '../../../text/without-controls.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import { inputMessage } from '../../input-messages.ts';
import type { SiteSettings } from '../../sites/site.ts';
import { textHashOf } from '../page-hashes.ts';
import type { RegisteredPage } from '../page-registry.ts';
import type { PageDraft } from '../page-writer.ts';
import { givenMetadata } from './given-metadata.ts';
import { ingestedContent } from './ingested-content.ts';
import { PageInput } from './page-input.ts';

const SHOWN_FAULTS = 5;

export type IngestItem = {
  readonly input: PageInput;
  readonly url: string;
  readonly urlHash: string;
  /** The URL as given, made absolute; the normalised URL if that is too long. */
  readonly givenUrl: string;
  readonly contentHash: string;
  /** Warnings about accepted values that have no effect or not the expected one. */
  readonly warnings: readonly string[];
};

/** Returns the page of a request, or its faults in one message. A wrong metadata value is only left out. */
export function ingestItem(
  value: unknown,
  { baseUrl, metadataSchema }: Pick<SiteSettings, 'baseUrl' | 'metadataSchema'>,
): IngestItem | { readonly fault: string } {
  const parsed = PageInput.safeParse(readable(value), { error: inputMessage });
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
    return { fault: `Invalid page: ${faults.slice(0, SHOWN_FAULTS).join('; ')}` };
  }
  const clean = withoutControls(parsed.data);
  const given = clean.metadata && givenMetadata(clean.metadata, metadataSchema);
  const input = given ? { ...clean, metadata: given.metadata } : clean;
  const url = normaliseUrl(input.url, baseUrl);
  if (url === undefined)
    return { fault: 'Invalid page: url must be an http or https URL, or relative to the base URL of the site' };
  const absolute = URL.parse(input.url, baseUrl)?.href ?? url;
  const givenUrl = absolute.length <= MAX_URL_LENGTH ? absolute : url;
  const contentHash = sha256(JSON.stringify([EXTRACTION_VERSION, { ...input, url: givenUrl }]));
  const warnings = [...(given?.warnings ?? []), ...hostWarnings(url, baseUrl)];
  return { input, url, urlHash: urlHash(url), givenUrl, contentHash, warnings };
}

/**
 * Reads a page as other clients encode it: `null` means absent, PHP encodes an empty object as an empty list, and a
 * list that lost an element as an object.
 */
function readable(page: unknown): unknown {
  if (!isObject(page)) return page;
  const { metadata, tags, ...others } = page;
  const isEmpty = Array.isArray(metadata) && metadata.length === 0;
  const given = { ...others, metadata: isEmpty ? {} : metadata, tags: isObject(tags) ? Object.values(tags) : tags };
  return Object.fromEntries(Object.entries(given).filter(([, field]) => field !== null && field !== undefined));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Warns about the host of a content system that does not know its own address, such as Drupal's drush, which names its
 * pages `http://default/`.
 */
function hostWarnings(url: string, baseUrl: string): readonly string[] {
  const { hostname } = new URL(url);
  if (hostname.includes('.') || hostname.includes(':') || hostname === URL.parse(baseUrl)?.hostname) return [];
  return [`url has the host ${hostname}, which is not that of the site: visitors may not reach it`];
}

/** Returns whether the same content was ingested before, with complete text, index entry and vectors. */
export const isUnchanged = (
  item: IngestItem,
  row: RegisteredPage | undefined,
  fields: SourcedFields,
): row is RegisteredPage =>
  row?.source === 'ingest' &&
  row.contentHash === item.contentHash &&
  row.fields === fields.version &&
  !row.pending &&
  !row.unembedded;

export function draftOf(
  item: IngestItem,
  before: RegisteredPage | undefined,
  fields: SourcedFields,
  clock: Clock,
): PageDraft | undefined {
  const { input, url, givenUrl } = item;
  const { key } = input;
  const sources = fields.fields.map(({ from }) => from);
  const content = ingestedContent(input, givenUrl, sources);
  const values = withGiven(filledFields(fields, url, content.sourceValues), input.metadata);
  const { title, description, tags, publishedAt, blocks } = content;
  if (blocks.length === 0) return undefined;
  return {
    before,
    page: { ...content, url: givenUrl, ...values },
    row: {
      url,
      urlHash: item.urlHash,
      ...(givenUrl !== url && { givenUrl }),
      ...defined({ key }),
      title,
      ...defined({ summary: description }),
      tags,
      ...defined({ publishedAt }),
      source: 'ingest',
      contentHash: item.contentHash,
      textHash: textHashOf(content, values.metadata, fields),
      ...defined({ fields: fields.version }),
      crawledAt: new Date(clock()).toISOString(),
      indexedAt: epochSeconds(clock),
    },
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
