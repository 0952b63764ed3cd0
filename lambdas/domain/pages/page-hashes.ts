import { hash } from 'node:crypto';
import { EXTRACTION_VERSION } from '../../text/extraction/extraction-version.ts';
import type { SourcedFields } from '../../text/fields/field-source.ts';
import type { Metadata } from '../../text/fields/filled-fields.ts';
import { type PageContent, plainText } from '../../text/page-content.ts';

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** Returns a hash of everything about a crawled page that is indexed. */
export function contentHashOf(
  { links, refresh, sourceValues, markdown, isMarkdown, ...indexed }: PageContent,
  metadata: Metadata | undefined,
) {
  return sha256(JSON.stringify([EXTRACTION_VERSION, { ...indexed, ...(metadata && { metadata }) }]));
}

/**
 * Returns a hash of a page's text and of the field values that the page fills: two versions of a manual are no
 * duplicates.
 */
export function textHashOf(content: PageContent, metadata: Metadata = {}, { fields }: SourcedFields): string {
  const values = fields.flatMap(({ name }) => (Object.hasOwn(metadata, name) ? [[name, metadata[name]]] : []));
  return sha256(values.length === 0 ? plainText(content) : JSON.stringify([plainText(content), values]));
}

/** Returns a hash of everything that is stored but not indexed. */
export const linksHashOf = ({ links, refresh, sourceValues, markdown }: PageContent): string =>
  sha256(JSON.stringify([links, refresh, sourceValues, markdown]));
