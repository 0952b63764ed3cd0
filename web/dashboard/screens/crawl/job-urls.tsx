import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { hasEnded, type Schemas } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Select, TextField } from '../../components/field.tsx';
import { Pager } from '../../components/pager.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useFormats } from '../../formats.ts';
import { OUTCOMES, type Outcome, type Reason, reasonsOf, TONE } from '../../outcomes.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';
import { useOutcomeTexts } from '../../texts/outcomes.ts';
import type { JobAddress } from './address.ts';
import styles from './crawl.module.css';
import { jobUrlsQuery } from './job-urls-query.ts';

type JobUrlsProps = { readonly job: Schemas['CrawlJob']; readonly address: JobAddress };

/** The URLs of a crawl, by a filter that is in the address. */
export function JobUrls({ job, address }: JobUrlsProps) {
  const t = useCrawlTexts();
  const { number } = useFormats();
  const navigate = useNavigate();
  const query = useQuery({
    ...jobUrlsQuery(job.jobId, address, !hasEnded(job)),
    enabled: job.pagesAvailable !== false,
  });
  const show = (search: Partial<JobAddress>) =>
    void navigate({
      to: '/sites/$siteId/crawl/$jobId',
      params: { siteId: job.siteId, jobId: job.jobId },
      search: { ...address, cursor: undefined, ...search },
      resetScroll: false,
      hash: 'urls',
    });
  if (job.pagesAvailable === false)
    return (
      <Card title={t.urlsTitle}>
        <p>{t.urlsForgotten}</p>
      </Card>
    );
  const isFiltered = address.outcome !== undefined || address.reason !== undefined || address.q !== undefined;
  return (
    <Card title={t.urlsTitle}>
      <UrlFilter address={address} onShow={show} />
      <Loaded query={query} skeleton={<Skeleton of="rows" lines={10} />}>
        {({ pages, nextCursor, read }) => (
          <Stack>
            {pages.length === 0 ? (
              <Empty title={isFiltered ? t.noUrls : t.noUrlsYet} />
            ) : (
              <UrlTable pages={pages} siteId={job.siteId} />
            )}
            {read !== undefined && <p className={styles.count}>{t.readSoFar(number(read))}</p>}
            <Pager cursor={address.cursor} nextCursor={nextCursor} onMove={(cursor) => show({ cursor })} />
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

type UrlFilterProps = { readonly address: JobAddress; readonly onShow: (search: Partial<JobAddress>) => void };

function UrlFilter({ address, onShow }: UrlFilterProps) {
  const t = useCrawlTexts();
  const words = useOutcomeTexts();
  const [text, setText] = useState(address.q ?? '');
  useEffect(() => setText(address.q ?? ''), [address.q]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onShow({ q: text.trim() || undefined });
  };
  const outcomes = OUTCOMES.map((value) => ({ value, label: words.outcomes[value] }));
  const reasons = reasonsOf(address.outcome).map((value) => ({ value, label: words.reasons[value] }));
  return (
    <form className={styles.filter} onSubmit={submit} id="urls">
      <Select<Outcome | ''>
        label={t.filterOutcome}
        value={address.outcome ?? ''}
        choices={[{ value: '', label: t.allOutcomes }, ...outcomes]}
        onChange={(outcome) => onShow({ outcome: outcome || undefined, reason: undefined })}
      />
      <Select<Reason | ''>
        label={t.filterReason}
        value={address.reason ?? ''}
        choices={[{ value: '', label: t.allReasons }, ...reasons]}
        onChange={(reason) => onShow({ reason: reason || undefined })}
      />
      <TextField label={t.filterText} placeholder={t.filterTextHint} value={text} onChange={setText} type="search" />
      <div className={styles.buttons}>
        <Button type="submit">{t.apply}</Button>
        <Button kind="quiet" onClick={() => onShow({ outcome: undefined, reason: undefined, q: undefined })}>
          {t.clear}
        </Button>
      </div>
    </form>
  );
}

type UrlTableProps = { readonly pages: readonly Schemas['JobPage'][]; readonly siteId: string };

function UrlTable({ pages, siteId }: UrlTableProps) {
  const t = useCrawlTexts();
  const words = useOutcomeTexts();
  const inspect = (url: string) => (
    <Link to="/sites/$siteId/url" params={{ siteId }} search={{ url }}>
      {url}
    </Link>
  );
  const columns: readonly Column<Schemas['JobPage']>[] = [
    { name: t.url, kind: 'wide', value: ({ url }) => inspect(url) },
    {
      name: t.outcome,
      value: ({ outcome }) =>
        outcome === undefined ? (
          <StatusBadge tone="busy">{t.queued}</StatusBadge>
        ) : (
          <StatusBadge tone={TONE[outcome]}>{words.outcomes[outcome]}</StatusBadge>
        ),
    },
    { name: t.reason, kind: 'text', value: ({ reason }) => reason && words.reasons[reason] },
    { name: t.httpStatus, kind: 'number', value: ({ status }) => status },
    {
      name: t.foundOn,
      kind: 'wide',
      value: ({ foundOn, target }) => (
        <>
          {foundOn}
          {target !== undefined && (
            <span className={styles.target}>
              {t.leadsTo} {inspect(target)}
            </span>
          )}
        </>
      ),
    },
  ];
  return <Table caption={t.urlsTitle} columns={columns} rows={pages} keyOf={({ url }) => url} />;
}
