import type { PageContent } from '../content/page-content.ts';

/** A page as it was extracted, under the URL as it was met: what the index can be rebuilt from. */
export type StoredPage = PageContent & {
  readonly url: string;
  /** What the owner of an ingested page said of it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};
