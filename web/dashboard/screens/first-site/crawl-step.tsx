import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hasEnded, jobQuery, queryClient, type Schemas } from '../../api.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useFormats } from '../../formats.ts';
import { totalsOf } from '../../outcomes.ts';
import { useSiteTexts } from '../../texts/sites.ts';
import { CancelCrawl } from '../crawl/cancel-crawl.tsx';
import { JobProgress } from '../crawl/job-progress.tsx';
import { OutcomeSummary } from '../crawl/outcome-table.tsx';
import styles from './first-site.module.css';
import { startFirstCrawl } from './look-step.tsx';

type CrawlStepProps = { readonly site: Schemas['Site']; readonly jobId: string };

/** Shows the first crawl, live. */
export function CrawlStep({ site, jobId }: CrawlStepProps) {
  const t = useSiteTexts();
  const query = useQuery(jobQuery(jobId));
  const isOver = query.data !== undefined && hasEnded(query.data);
  useEffect(() => {
    if (isOver) void queryClient.invalidateQueries({ queryKey: ['sites'] });
  }, [isOver]);
  return (
    <Card title={t.crawlTitle(site.name)} lead={t.crawlLead}>
      <Loaded query={query} skeleton={<Skeleton lines={4} />}>
        {(job) => (
          <Stack>
            {hasEnded(job) ? <CrawlEnd site={site} job={job} /> : <JobProgress job={job} />}
            <div className={styles.buttons}>
              {!hasEnded(job) && <CancelCrawl job={job} />}
              <Link to="/sites/$siteId/crawl/$jobId" params={{ siteId: site.siteId, jobId }}>
                {t.crawlDetails}
              </Link>
            </div>
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

function CrawlEnd({ site, job }: { readonly site: Schemas['Site']; readonly job: Schemas['CrawlJob'] }) {
  const t = useSiteTexts();
  const { number } = useFormats();
  const navigate = useNavigate();
  const { siteId } = site;
  const again = async () =>
    navigate({ to: '/sites/new', search: { site: siteId, crawl: await startFirstCrawl(siteId) } });
  if (job.pagesProcessed === 0)
    return (
      <Notice tone="bad" title={t.crawlFailed}>
        <p>{job.error ?? t.notFoundAny}</p>
        <Button onClick={() => void again()}>{t.crawlAgain}</Button>
      </Notice>
    );
  return (
    <Stack>
      <p role="status">
        <strong>{t.crawlDone(number(job.pagesProcessed))}</strong>
      </p>
      <OutcomeSummary totals={totalsOf(job.outcomes)} />
      <div>
        <Link
          to="/sites/new"
          search={{ site: siteId, crawl: job.jobId, step: 'search' }}
          className={buttonClass('primary')}
        >
          {t.goSearch}
        </Link>
      </div>
    </Stack>
  );
}
