import type { DatabaseSync } from 'node:sqlite';
import type { SiteScope } from '../../../core/ports/page-index.ts';
import type { OpenSite, OpenSites } from '../../../search-engine/open-site.ts';
import type { Segment } from '../../../search-engine/segment.ts';
import { SegmentRows } from './segment-rows.ts';

const MAX_BYTES = 1e9;
const MAX_WARM_SITES = 1000;

/** A row of index_partition. Each write of its pages draws a new version. */
type Partition = {
  readonly id: number;
  readonly chunks: number;
  readonly terms: number;
  readonly version: number;
};

type CachedSite = OpenSite & {
  readonly generation: number;
  readonly version: number;
  readonly byId: ReadonlyMap<number, Segment>;
  /** The last deletion that is marked in the segments. */
  readonly lastDeletion: number;
};

const NOTHING: OpenSite = { chunks: 0, terms: 0, segments: [] };

/** Keeps the segments of one generation of each site open. The least recently used sites are closed. */
export class SegmentCache {
  readonly #database: DatabaseSync;
  readonly #rows: SegmentRows;
  readonly #selectPartition;
  readonly #selectDataVersion;
  readonly #sites = new Map<string, CachedSite>();
  /** Sites whose rows were read since the last change: a search of a group reads a hundred, several times. */
  readonly #current = new Set<string>();
  #dataVersion: unknown;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#rows = new SegmentRows(database);
    this.#selectPartition = database.prepare(
      'SELECT id, chunks, terms, version FROM index_partition WHERE site_id = ? AND generation = ?',
    );
    this.#selectDataVersion = database.prepare('PRAGMA data_version');
  }

  /** The segments of sites as they are now, in the order of the scopes. */
  readonly of: OpenSites = (scopes) => {
    // It changes when another connection, of any process, commits.
    const dataVersion = this.#selectDataVersion.get()?.data_version;
    if (dataVersion !== this.#dataVersion) this.noteChange();
    this.#dataVersion = dataVersion;
    return scopes.map((scope) => this.#open(scope));
  };

  /** This connection has written to the index. */
  readonly noteChange = (): void => this.#current.clear();

  /** Opens the largest sites for about this time, or until one more would close others. Returns their number. */
  warm(milliseconds: number): number {
    const end = performance.now() + milliseconds;
    const largest = this.#database.prepare(
      `SELECT site_id AS siteId, max(generation) AS generation FROM index_partition WHERE chunks > 0
       GROUP BY site_id ORDER BY chunks DESC LIMIT ${MAX_WARM_SITES}`,
    );
    let warmed = 0;
    for (const scope of largest.all() as SiteScope[]) {
      if (performance.now() > end || this.#bytes > MAX_BYTES / 2) break;
      this.of([scope]);
      warmed++;
    }
    return warmed;
  }

  #open({ siteId, generation }: SiteScope): OpenSite {
    const known = this.#sites.get(siteId);
    const isCurrent = known?.generation === generation && this.#current.has(siteId);
    const site = isCurrent ? known : this.#read({ siteId, generation }, known);
    if (!site) return NOTHING;
    this.#sites.delete(siteId);
    this.#sites.set(siteId, site);
    this.#current.add(siteId);
    if (site !== known) this.#evict();
    return site;
  }

  #read({ siteId, generation }: SiteScope, known: CachedSite | undefined): CachedSite | undefined {
    const partition = this.#selectPartition.get(siteId, generation) as Partition | undefined;
    if (!partition) return undefined;
    if (partition.version === known?.version) return known;
    const { id, chunks, terms, version } = partition;
    const rows = this.#rows.of(id);
    const isOpen = known !== undefined && rows.every((row) => known.byId.has(row.id));
    // A segment that is opened needs all deletions of its pages.
    const after = isOpen ? known.lastDeletion : 0;
    const byId = new Map(rows.map((row) => [row.id, known?.byId.get(row.id) ?? this.#rows.open(row)]));
    const segments = [...byId.values()];
    const deletions = this.#rows.deletionsAfter(id, after);
    for (const { page } of deletions) for (const segment of segments) segment.delete(page);
    return { generation, version, chunks, terms, segments, byId, lastDeletion: deletions.at(-1)?.id ?? after };
  }

  get #bytes(): number {
    const segments = [...this.#sites.values()].flatMap((site) => site.segments);
    return segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  #evict(): void {
    while (this.#bytes > MAX_BYTES && this.#sites.size > 1) {
      const [leastUsed = ''] = this.#sites.keys();
      this.#sites.delete(leastUsed);
    }
  }
}
