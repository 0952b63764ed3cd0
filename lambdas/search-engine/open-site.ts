import type { SiteScope } from '../domain/ports/page-index.ts';
import type { Segment } from './segment.ts';

/** A generation of a site as searches read it: its segments, and the numbers of its chunks and of their terms. */
export type OpenSite = {
  readonly chunks: number;
  readonly terms: number;
  readonly segments: readonly Segment[];
};

/** The sites as they are now, in the order of the scopes. */
export type OpenSites = (scopes: readonly SiteScope[]) => readonly OpenSite[];
