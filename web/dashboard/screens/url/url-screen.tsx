import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { call, siteQuery } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/fault.tsx';
import { TextField } from '../../components/field.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useUrlTexts } from '../../texts/url.ts';
import type { UrlAddress } from './address.ts';
import { RankCard } from './rank-card.tsx';
import { TestCard } from './test-card.tsx';
import { TraceCards } from './trace-cards.tsx';
import styles from './url.module.css';

const route = getRouteApi('/sites/$siteId/url');

/** Why one URL is found or not, how a search ranks it, and what a crawl would read now. */
export function UrlScreen() {
  const t = useUrlTexts();
  const { siteId } = route.useParams();
  const address = route.useSearch();
  const { url, q, view } = address;
  const site = useQuery(siteQuery(siteId));
  const trace = useQuery({
    queryKey: ['site', siteId, 'trace', { url, q }],
    queryFn: ({ signal }) =>
      call('GET /sites/{siteId}/trace', {
        path: { siteId },
        query: { url: url ?? '', ...(q !== undefined && { q }) },
        signal,
      }),
    enabled: url !== undefined,
  });
  return (
    <>
      <ScreenHeader title={t.title} lead={site.data ? `${site.data.name} · ${t.lead}` : t.lead} />
      <Stack>
        <Card>
          <UrlForm siteId={siteId} address={address} />
        </Card>
        {url === undefined ? (
          <Empty title={t.emptyTitle}>{t.emptyText}</Empty>
        ) : (
          <>
            {view === 'test' && <TestCard siteId={siteId} url={url} />}
            <Loaded query={trace} skeleton={<Skeleton of="block" lines={3} />}>
              {(found) => (
                <Stack>
                  {found.query && <RankCard trace={found.query} />}
                  <TraceCards siteId={siteId} trace={found} />
                </Stack>
              )}
            </Loaded>
          </>
        )}
      </Stack>
    </>
  );
}

function UrlForm({ siteId, address }: { readonly siteId: string; readonly address: UrlAddress }) {
  const t = useUrlTexts();
  const navigate = useNavigate();
  const [url, setUrl] = useState(address.url ?? '');
  const [q, setQuery] = useState(address.q ?? '');
  useEffect(() => {
    setUrl(address.url ?? '');
    setQuery(address.q ?? '');
  }, [address.url, address.q]);
  const open = (view: UrlAddress['view']) => {
    if (url.trim() === '') return;
    void navigate({
      to: '/sites/$siteId/url',
      params: { siteId },
      search: { url: url.trim(), q: q.trim() || undefined, view },
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open(undefined);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField label={t.url} value={url} onChange={setUrl} inputMode="url" placeholder="/prices" required />
      <TextField label={t.query} hint={t.queryHint} value={q} onChange={setQuery} />
      <div className={styles.buttons}>
        <Button type="submit" kind="primary">
          {t.trace}
        </Button>
        <Button onClick={() => open('test')}>{t.test}</Button>
        <p className={styles.hint}>{t.testHint}</p>
      </div>
    </form>
  );
}
