import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { call, organisationQuery, type Schemas } from '../../api.ts';
import { Card, Columns, Figures, Stack } from '../../components/card.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Select } from '../../components/field.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useFormats } from '../../formats.ts';
import { useOrganisationTexts } from '../../texts/organisation.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { lastMonths } from './months.ts';
import styles from './organisation.module.css';
import { SiteFigures } from './site-figures.tsx';
import { UsageView } from './usage-view.tsx';

type Organisation = Schemas['Organisation'];

/** The plan with what is used of it, and what models have cost. */
export function OrganisationScreen() {
  const { month } = useSearch({ from: '/organisation' });
  const navigate = useNavigate({ from: '/organisation' });
  const t = useOrganisationTexts();
  const shell = useShellTexts();
  const organisation = useQuery(organisationQuery());
  const [current = ''] = lastMonths();
  const shown = month ?? current;
  const usage = useQuery({
    queryKey: ['usage', shown],
    queryFn: ({ signal }) => call('GET /usage', { query: { month: shown }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ScreenHeader title={shell.organisation} lead={organisation.data?.name} />
      <Stack>
        <Card title={t.plan}>
          <Loaded query={organisation} skeleton={<Skeleton of="block" lines={2} />}>
            {(loaded) => <Plan organisation={loaded} />}
          </Loaded>
        </Card>
        <Card
          title={t.usage}
          lead={t.usageLead}
          actions={
            <div className={styles.month}>
              <Select
                label={t.month}
                value={shown}
                choices={[...new Set([...lastMonths(), shown])].map((value) => ({ value, label: t.monthName(value) }))}
                onChange={(value) => void navigate({ search: value === current ? {} : { month: value } })}
              />
            </div>
          }
        >
          <Loaded query={usage} skeleton={<Skeleton of="block" lines={4} />}>
            {(loaded) => <UsageView usage={loaded} />}
          </Loaded>
        </Card>
        <SiteFigures />
      </Stack>
    </>
  );
}

function Plan({ organisation: { plan, role, quotas, use } }: { readonly organisation: Organisation }) {
  const t = useOrganisationTexts();
  return (
    <Stack>
      <Figures
        figures={[
          { name: t.planName, value: plan },
          { name: t.role, value: role, note: t.roleNote },
        ]}
      />
      <Columns>
        <Quota name={t.sites} used={use.sites} quota={quotas.sites} />
        <Quota name={t.groups} used={use.groups} quota={quotas.groups} />
        <Quota name={t.largestSite} used={use.pagesOfLargestSite} quota={quotas.pagesPerSite} />
        <Quota name={t.tokensThisMonth} used={use.aiTokensThisMonth} quota={quotas.aiTokensPerMonth} />
      </Columns>
    </Stack>
  );
}

const NEARLY_USED = 0.8;

function Quota({ name, used, quota }: { readonly name: string; readonly used: number; readonly quota: number }) {
  const t = useOrganisationTexts();
  const { number } = useFormats();
  const share = quota === 0 ? 0 : Math.min(1, used / quota);
  return (
    <div className={styles.quota}>
      <span className={styles.quotaName}>{name}</span>
      <span>{quota === 0 ? t.notIncluded : t.usedOf(number(used), number(quota))}</span>
      <meter className={styles.meter} aria-label={name} min={0} max={1} high={NEARLY_USED} optimum={0} value={share} />
      {share >= NEARLY_USED && <span className={styles.nearly}>{share >= 1 ? t.usedUp : t.nearlyUsed}</span>}
    </div>
  );
}
