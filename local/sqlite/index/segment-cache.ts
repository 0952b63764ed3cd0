import type { DatabaseSync } from 'node:sqlite';
import type { SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import { Scanners } from '../../../lambdas/search-engine/int8-scan.ts';
import type { OpenSites } from '../../../lambdas/search-engine/search-engine.ts';
import type { OpenSite, Segment } from '../../../lambdas/search-engine/segment.ts';
import { type SegmentRow, segmentRows } from './segment-rows.ts';

const MAX_BYTES = 1e9;
const MAX_WARM_SITES = 1000;
/** A row of index_partition. Each write of its pages sets a new random version. */
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
  /** The latest deletion that is marked in the segments. */
  readonly lastDeletion: number;
};

/**
 * The fewest chunks of a segment whose vectors stay in a WebAssembly memory, which reserves gigabytes of addresses. The
 * vectors of smaller segments are copied for each scan.
 */
const MIN_CHUNKS_OF_MEMORY = 512;

const NOTHING: OpenSite = { chunks: 0, terms: 0, segments: [] };

/** Keeps the segments of one generation of each site open. Closes those of the least recently used sites. */
export function segmentCache(database: DatabaseSync) {
  const rowsIn = segmentRows(database);
  const scanners = new Scanners();
  const selectPartition = database.prepare(
    'SELECT id, chunks, terms, version FROM index_partition WHERE site_id = ? AND generation = ?',
  );
  const selectLargest = database.prepare(
    `SELECT site_id AS siteId, max(generation) AS generation FROM index_partition WHERE chunks > 0
     GROUP BY site_id ORDER BY chunks DESC LIMIT ${MAX_WARM_SITES}`,
  );
  const selectDataVersion = database.prepare('PRAGMA data_version');
  const sites = new Map<string, CachedSite>();
  /** Sites whose rows were read since the last commit. A search of a group reads a hundred sites several times. */
  const current = new Set<string>();
  let dataVersion: unknown;

  const open = (row: SegmentRow): Segment => rowsIn.open(row, scanners, row.chunks >= MIN_CHUNKS_OF_MEMORY);

  const cachedBytes = (): number =>
    [...sites.values()].flatMap(({ segments }) => segments).reduce((sum, { bytes }) => sum + bytes, 0);

  const read = ({ siteId, generation }: SiteScope, known: CachedSite | undefined): CachedSite | undefined => {
    const partition = selectPartition.get(siteId, generation) as Partition | undefined;
    if (!partition) return undefined;
    const { id, chunks, terms, version } = partition;
    if (version === known?.version) return known;
    const rows = rowsIn.of(id);
    const isOpen = known !== undefined && rows.every((row) => known.byId.has(row.id));
    // A newly opened segment needs all deletions of its pages.
    const after = isOpen ? known.lastDeletion : 0;
    const byId = new Map(rows.map((row) => [row.id, known?.byId.get(row.id) ?? open(row)]));
    const segments = [...byId.values()];
    const deletions = rowsIn.deletionsAfter(id, after);
    for (const { page } of deletions) for (const segment of segments) segment.delete(page);
    return { generation, version, chunks, terms, segments, byId, lastDeletion: deletions.at(-1)?.id ?? after };
  };

  const evict = (): void => {
    while (cachedBytes() > MAX_BYTES && sites.size > 1) {
      const [leastUsed = ''] = sites.keys();
      sites.delete(leastUsed);
    }
  };

  const siteOf = (scope: SiteScope): OpenSite => {
    const known = sites.get(scope.siteId);
    const isCurrent = known?.generation === scope.generation && current.has(scope.siteId);
    const site = isCurrent ? known : read(scope, known);
    if (!site) return NOTHING;
    sites.delete(scope.siteId);
    sites.set(scope.siteId, site);
    current.add(scope.siteId);
    if (site !== known) evict();
    return site;
  };

  /** Returns the current segments of sites, in the order of the scopes. */
  const sitesOf: OpenSites = (scopes) => {
    // The version changes when another connection, of any process, commits.
    const version = selectDataVersion.get()?.data_version;
    if (version !== dataVersion) current.clear();
    dataVersion = version;
    return scopes.map(siteOf);
  };

  return {
    of: sitesOf,

    /**
     * Opens the largest sites for about this time, or until another one would close an open one. Returns their number.
     */
    warm(milliseconds: number): number {
      const end = performance.now() + milliseconds;
      let warmed = 0;
      for (const scope of selectLargest.all() as SiteScope[]) {
        if (performance.now() > end || cachedBytes() > MAX_BYTES / 2) break;
        sitesOf([scope]);
        warmed++;
      }
      return warmed;
    },

    /** The siteId of the largest site that has pages. */
    largest: () => (selectLargest.get() as SiteScope | undefined)?.siteId,
  };
}
