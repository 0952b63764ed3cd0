import { deleteSchedule, setSchedule } from '../../lambdas/domain/crawl/schedules/manage-schedules.ts';
import { settingsKey } from '../../lambdas/domain/sites/site.ts';
import { tableTimetable } from '../../local/sqlite/timetable.ts';
import type { Insist } from './reviewer.ts';
import type { SimulatedDeps, Simulation } from './simulation.ts';
import type { Workers } from './workers.ts';

/** An hour is too long for a run. */
const EVERY_SECONDS = 60;

export type Acting = {
  readonly simulation: Simulation;
  readonly deps: Pick<SimulatedDeps, 'table' | 'queue' | 'clock' | 'newId'>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly insist: Insist;
};

/** Sets a schedule, waits until it has started a crawl, and deletes it. Checks that no start was made twice. */
export async function crawlBySchedule(
  siteId: string,
  caller: Parameters<typeof setSchedule>[1],
  { simulation, deps, sleep, insist, workers }: Acting & { readonly workers: Workers },
): Promise<void> {
  const { table } = simulation;
  const kept = tableTimetable(deps);
  const timetable = { ...kept, set: (id: string) => kept.set(id, EVERY_SECONDS) };
  const jobs = () => table.under(`SITE#${siteId}`, 'JOB#').length;
  const begunAt = simulation.scheduler.now;
  const before = jobs();
  const sender = workers.startTimetable();
  await insist(() => setSchedule({ siteId, frequency: 'hourly' }, caller, { ...deps, timetable }));
  while (table.get(settingsKey(siteId)) && jobs() === before) await sleep(1000);
  await insist(() => deleteSchedule(siteId, caller, { ...deps, timetable }));
  sender.halt.abort();
  // If the system's time is set, one start comes too early.
  const due = Math.floor((simulation.scheduler.now - begunAt) / 1000 / EVERY_SECONDS) + simulation.clockTurns;
  if (jobs() - before > due) simulation.report(`a schedule made ${jobs() - before} starts, but ${due} were due`);
}
