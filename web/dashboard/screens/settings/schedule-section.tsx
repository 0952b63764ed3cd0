import { useQuery } from '@tanstack/react-query';
import { call, queryClient, type Schemas, schedulesQuery } from '../../api.ts';
import { Loaded } from '../../components/fault.tsx';
import { Select } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { SectionForm } from '../../forms/section-form.tsx';
import { useSection } from '../../forms/use-section.ts';
import { useSettingsTexts } from '../../texts/settings.ts';

type Schedule = Schemas['CrawlSchedule'];
type Draft = { readonly frequency: Schedule['frequency'] | 'never' };

const draftOf = (schedule: Schedule | null): Draft => ({ frequency: schedule?.frequency ?? 'never' });
const bodyOf = ({ frequency }: Draft) => ({ frequency });

export function ScheduleSection({ siteId }: { readonly siteId: string }) {
  return (
    <Loaded query={useQuery(schedulesQuery(siteId))} skeleton={<Skeleton of="block" />}>
      {({ schedules: [schedule = null] }) => <ScheduleForm siteId={siteId} schedule={schedule} />}
    </Loaded>
  );
}

function ScheduleForm({ siteId, schedule }: { readonly siteId: string; readonly schedule: Schedule | null }) {
  const t = useSettingsTexts();
  const path = { siteId };
  const section = useSection<Schedule | null, Draft, Draft>({
    stored: schedule,
    draftOf,
    bodyOf,
    load: async () => (await queryClient.fetchQuery({ ...schedulesQuery(siteId), staleTime: 0 })).schedules[0] ?? null,
    save: async ({ frequency = 'never' }) => {
      if (frequency === 'never') await call('DELETE /sites/{siteId}/schedules', { path });
      else await call('POST /sites/{siteId}/schedules', { path, body: { frequency } });
      await queryClient.invalidateQueries({ queryKey: schedulesQuery(siteId).queryKey });
    },
  });
  const { draft, set, errorAt } = section;
  return (
    <SectionForm
      section={section}
      id="schedule"
      title={t.schedule}
      lead={t.scheduleLead}
      names={{ frequency: t.frequency }}
    >
      <Select
        label={t.frequency}
        value={draft.frequency}
        choices={t.frequencies}
        onChange={(frequency) => set({ frequency })}
        error={errorAt('frequency')}
      />
      {schedule && (
        <p>
          {schedule.enabled ? (
            <>
              {t.nextStart} <Time seconds={schedule.nextStartAt} />
            </>
          ) : (
            t.scheduleOff
          )}
        </p>
      )}
      {schedule && schedule.skippedStarts > 0 && (
        <Notice tone="warn">
          <p>{t.skippedStarts(schedule.skippedStarts, schedule.lastSkipReason ?? '')}</p>
        </Notice>
      )}
    </SectionForm>
  );
}
