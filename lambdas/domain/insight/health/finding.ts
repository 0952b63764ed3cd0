/** The findings about pages or URLs of a site: the meaning of each, and advice for the owner. */
export const FINDINGS = {
  sitemap_not_indexed: [
    'A sitemap names these URLs, but they are not in the index.',
    'Take URLs out of the sitemap that are not to be found. For the others, see why each was left out: ' +
      'GET /sites/{siteId}/trace.',
  ],
  unlinked: [
    'These pages are indexed and answer, but no page links to them and no sitemap names them.',
    'Link to them, or delete them: they may be old versions.',
  ],
  no_title: ['These pages have no title.', 'Give each a title element: results show it, and searches weigh it.'],
  thin: [
    'These pages have less than 200 characters of text.',
    'Write more, exclude them, or set javascriptEnabled if scripts write their text.',
  ],
  same_title: [
    'Several pages have the same title.',
    'Give each a title of its own, so that visitors can tell results apart. ' +
      'Exclude old versions, or filter by version.',
  ],
  broken_link: [
    'Pages link to these URLs, which do not answer with a page.',
    'Correct or remove the link on the page that foundOn names, or restore the page.',
  ],
  redirect_chain: [
    'These URLs redirect more than once before a page answers.',
    'Redirect them, and link, to the last URL at once.',
  ],
} as const satisfies Record<string, readonly [what: string, advice: string]>;

export type FindingKind = keyof typeof FINDINGS;
export const FINDING_KINDS = Object.keys(FINDINGS) as readonly FindingKind[];

export type FindingExample = {
  readonly url: string;
  readonly title?: string;
  readonly reason?: string;
  readonly foundOn?: string;
  /** The URLs to which redirects lead, in order. */
  readonly leadsTo?: readonly string[];
};

export type Finding = {
  readonly kind: FindingKind;
  readonly count: number;
  readonly examples: readonly FindingExample[];
  readonly reasons?: Readonly<Record<string, number>>;
};

const MAX_EXAMPLES = 10;

/** Counts findings and keeps the first examples: one of each reason before a second of any. */
export class Findings {
  readonly #counts = new Map<FindingKind, number>();
  readonly #reasons = new Map<FindingKind, Map<string, number>>();
  readonly #examples = new Map<FindingKind, FindingExample[]>();

  add(kind: FindingKind, example: FindingExample): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const reasons = this.#reasons.get(kind) ?? new Map<string, number>();
    this.#reasons.set(kind, reasons);
    const { reason } = example;
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const examples = this.#examples.get(kind) ?? [];
    this.#examples.set(kind, examples);
    const isFirst = reason !== undefined && reasons.get(reason) === 1;
    if (examples.length < MAX_EXAMPLES) examples.push(example);
    else if (isFirst) replaceRepeated(examples, example);
  }

  list(): readonly Finding[] {
    return FINDING_KINDS.flatMap((kind) => {
      const count = this.#counts.get(kind);
      if (count === undefined) return [];
      const reasons = Object.fromEntries(this.#reasons.get(kind) ?? []);
      const examples = this.#examples.get(kind) ?? [];
      return { kind, count, examples, ...(Object.keys(reasons).length > 0 && { reasons }) };
    });
  }
}

function replaceRepeated(examples: FindingExample[], example: FindingExample): void {
  const index = examples.findLastIndex(({ reason }) => examples.filter((one) => one.reason === reason).length > 1);
  if (index >= 0) examples[index] = example;
}
