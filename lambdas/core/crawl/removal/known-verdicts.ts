import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { Probe } from './probe-rows.ts';
import type { ProbeRules } from './probe-rules.ts';
import type { Verdict } from './verdict.ts';

/** The verdicts that need no fetch. An ingested page stays, and so does one that is outside of the crawl. */
export function knownVerdicts(
  probes: readonly Probe[],
  rows: ReadonlyMap<string, RegisteredPage>,
  rules: ProbeRules,
): ReadonlyMap<Probe, Verdict> {
  return new Map(
    probes.flatMap((probe) => {
      const verdict = knownVerdict(probe, rows.get(probe.urlHash), rules);
      return verdict ? [[probe, verdict] as const] : [];
    }),
  );
}

function knownVerdict(
  { url, isMoved }: Probe,
  row: RegisteredPage | undefined,
  rules: ProbeRules,
): Verdict | undefined {
  if (!row) return { kind: 'missing' };
  if (row.source === 'ingest') return { kind: 'unknown' };
  if (isMoved) return { kind: 'gone', reason: 'redirect' };
  const verdict = rules.verdict(url);
  if (verdict === undefined) return undefined;
  return verdict === 'outside' ? { kind: 'unknown' } : { kind: 'gone', reason: verdict };
}
