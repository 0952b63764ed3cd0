import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { LIVE_MS, type Schemas, sitesQuery } from '../../api.ts';
import { buttonClass } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Select, TextField } from '../../components/field.tsx';
import { PagePicker, pageOf } from '../../components/page-picker.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useFormats } from '../../formats.ts';
import { useSiteTexts } from '../../texts/sites.ts';
import { AddressForm } from '../first-site/address-form.tsx';
import { type SiteStatus, type SitesAddress, STATUSES } from './address.ts';
import { demoQuery } from './demo-query.ts';
import { SiteTable } from './site-table.tsx';
import styles from './sites.module.css';

/** Each row asks for the state of its site, so few are shown at once. */
const PAGE_SIZE = 20;

const route = getRouteApi('/sites');

/** The sites of the organisation. Without a site of one's own, the way to the first. */
export function SitesScreen() {
  const t = useSiteTexts();
  const address = route.useSearch();
  const { data: demo } = useQuery(demoQuery());
  const query = useQuery({
    ...sitesQuery(),
    refetchInterval: ({ state: { data } }) =>
      data?.sites.some(({ status }) => status === 'crawling') ? 3 * LIVE_MS : false,
  });
  const own = query.data?.sites.filter(({ siteId }) => siteId !== demo?.siteId);
  return (
    <>
      <ScreenHeader
        title={t.title}
        actions={
          own &&
          own.length > 0 && (
            <Link to="/sites/new" className={buttonClass('primary')}>
              {t.add}
            </Link>
          )
        }
      />
      <Loaded query={query} skeleton={<Skeleton of="rows" lines={6} />}>
        {({ sites }) => (
          <Stack>
            {own?.length === 0 && (
              <Card title={t.firstTitle} lead={t.firstLead}>
                <AddressForm />
              </Card>
            )}
            {sites.length > 0 && <SiteList sites={sites} address={address} demoId={demo?.siteId} />}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

type SiteListProps = {
  readonly sites: readonly Schemas['SiteSummary'][];
  readonly address: SitesAddress;
  readonly demoId: string | undefined;
};

function SiteList({ sites, address, demoId }: SiteListProps) {
  const t = useSiteTexts();
  const { number } = useFormats();
  const navigate = useNavigate();
  const show = (search: SitesAddress) => void navigate({ to: '/sites', search, replace: true, resetScroll: false });
  const { q = '', status, page = 1 } = address;
  const words = q.toLowerCase();
  const found = sites.filter(
    (site) =>
      `${site.name} ${site.baseUrl}`.toLowerCase().includes(words) && (status === undefined || site.status === status),
  );
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const shown = Math.min(page, pages);
  return (
    <Card>
      <Stack>
        {sites.length > 1 && (
          <div className={styles.filter}>
            <TextField label={t.find} type="search" value={q} onChange={(text) => show({ q: text, status })} />
            <Select<SiteStatus | ''>
              label={t.stateFilter}
              value={status ?? ''}
              choices={[{ value: '', label: t.all }, ...STATUSES.map((value) => ({ value, label: t.status[value] }))]}
              onChange={(value) => show({ q, status: value || undefined })}
            />
            <p className={styles.count} role="status">
              {t.count(number(found.length), number(sites.length))}
            </p>
          </div>
        )}
        {found.length === 0 ? (
          <Empty title={t.noMatch} />
        ) : (
          <SiteTable sites={pageOf(found, shown, PAGE_SIZE)} demoId={demoId} />
        )}
        <PagePicker page={shown} pages={pages} onMove={(next) => show({ q, status, page: next })} />
      </Stack>
    </Card>
  );
}
