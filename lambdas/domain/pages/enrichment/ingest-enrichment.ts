import { isOutage, type Report } from '../../errors.ts';
import type { IngestItem } from '../ingest/ingest-item.ts';
import type { PageDraft } from '../page-writer.ts';
import {
  GENERATED_FIELDS,
  type GeneratedField,
  type MakingDeps,
  madeMetadata,
  withGenerated,
} from './generated-metadata.ts';

/** Maximum time that all pages of one request wait for the model: the request must be answered within 29 seconds. */
const DEADLINE_MS = 8_000;
const MODEL_DEADLINE_MS = 6_000;
const HAS_TITLE = /<title[\s>]|<h1[\s>]/i;

export type EnrichmentDeps = Omit<MakingDeps, 'model'> & {
  /** Absent without a provider. */
  readonly model?: MakingDeps['model'] | undefined;
  readonly report: Report;
};

/** Adds generated metadata to the pages of an ingest request, within its deadline or else later. */
export class IngestEnrichment {
  readonly #later = new Map<string, readonly GeneratedField[]>();
  readonly #orgId: string;
  readonly #until: number;
  readonly #deps: EnrichmentDeps;

  constructor(orgId: string, deps: EnrichmentDeps) {
    this.#orgId = orgId;
    this.#deps = deps;
    this.#until = deps.clock() + DEADLINE_MS;
  }

  /** Returns the fields that the page with this URL still lacks. */
  readonly missing = (url: string): readonly GeneratedField[] => this.#later.get(url) ?? [];

  async enriched(draft: PageDraft, item: IngestItem): Promise<PageDraft> {
    const { model, ...others } = this.#deps;
    const wanted = wantedFields(item);
    if (!model || wanted.length === 0) return draft;
    const left = this.#until - others.clock();
    try {
      if (left > 0) {
        const deadlineMs = Math.min(left, MODEL_DEADLINE_MS);
        const made = await madeMetadata(draft.page, this.#orgId, deadlineMs, { model, ...others });
        return made ? withGenerated(draft, made, wanted) : draft;
      }
    } catch (error) {
      if (!isOutage(error)) throw error;
      others.report('a page is enriched later', error);
    }
    this.#later.set(item.url, wanted);
    return draft;
  }
}

/**
 * Returns the fields that the request does not give. HTML has its own title, and pre-processed content gets no fields.
 */
function wantedFields({ input }: IngestItem): readonly GeneratedField[] {
  if (input.preProcessed) return [];
  const isGiven: Readonly<Record<GeneratedField, boolean>> = {
    title: input.title !== undefined || (input.contentType === 'html' && HAS_TITLE.test(input.content)),
    summary: input.summary !== undefined,
    tags: input.tags !== undefined,
  };
  return GENERATED_FIELDS.filter((field) => !isGiven[field]);
}
