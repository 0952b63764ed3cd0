type Settings = { readonly version: number; readonly crawlerConfig: object };

/** Sites and entries of their lists in all remembered settings together: some 10 MB. */
const MOST_ENTRIES = 50_000;

/** Settings of sites by their version. */
export class KnownSettings<SiteSettings extends Settings> {
  readonly #bySite = new Map<string, SiteSettings>();
  #entries = 0;

  /** Whether settings of the site are remembered, in any version. */
  has(siteId: string): boolean {
    return this.#bySite.has(siteId);
  }

  /** Undefined also for settings of another version. */
  get(siteId: string, version: number | undefined): SiteSettings | undefined {
    const settings = this.#bySite.get(siteId);
    return settings?.version === version ? settings : undefined;
  }

  add(siteId: string, settings: SiteSettings): void {
    this.#entries += entriesOf(settings);
    if (this.#entries > MOST_ENTRIES) {
      this.#bySite.clear();
      this.#entries = entriesOf(settings);
    }
    this.#bySite.set(siteId, settings);
  }
}

function entriesOf({ crawlerConfig, ...settings }: Settings): number {
  const lists = Object.values({ ...settings, ...crawlerConfig }).flatMap((value) =>
    Array.isArray(value) ? value.length : [],
  );
  return lists.reduce((sum, count) => sum + count, 1);
}
