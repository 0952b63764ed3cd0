import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api.ts';
import { buttonClass } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Notice } from '../../components/notice.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../formats.ts';
import { useUrlTexts } from '../../texts/url.ts';
import { StepsTable } from './steps-table.tsx';
import styles from './url.module.css';

type TraceProps = { readonly siteId: string; readonly trace: Schemas['UrlTrace'] };

/** All that is known of a URL without fetching it. */
export function TraceCards({ siteId, trace }: TraceProps) {
  const t = useUrlTexts();
  const { isIndexed, verdict, url, history, leadsTo = [], page, removal } = trace;
  return (
    <Stack>
      <Notice tone={isIndexed ? 'good' : 'warn'}>
        <div className={styles.verdict}>
          <StatusBadge tone={isIndexed ? 'good' : 'warn'}>{isIndexed ? t.indexed : t.notIndexed}</StatusBadge>
          <a href={url} rel="noreferrer">
            {url}
          </a>
          <p lang="en">{verdict}</p>
          {removal?.reviewId !== undefined && (
            <Link
              className={buttonClass()}
              to="/sites/$siteId/reviews/$reviewId"
              params={{ siteId, reviewId: removal.reviewId }}
            >
              {t.openReview}
            </Link>
          )}
        </div>
      </Notice>
      <RulesCard siteId={siteId} trace={trace} />
      {page && <PageCard page={page} />}
      <Card title={t.history}>
        {history.length === 0 ? (
          <p>{t.noHistory}</p>
        ) : (
          <StepsTable
            caption={t.history}
            rows={history}
            first={{
              name: t.crawl,
              value: ({ jobId, createdAt }) => (
                <Link to="/sites/$siteId/crawl/$jobId" params={{ siteId, jobId }}>
                  <Time seconds={createdAt} />
                </Link>
              ),
            }}
          />
        )}
      </Card>
      {leadsTo.length > 0 && (
        <Card title={t.leadsToTitle}>
          <StepsTable caption={t.leadsToTitle} rows={leadsTo} first={{ name: t.title, value: (step) => step.url }} />
        </Card>
      )}
    </Stack>
  );
}

function RulesCard({ siteId, trace }: TraceProps) {
  const t = useUrlTexts();
  const { scope, robots, foundBy, sitemap, foundOn, aliasOf, removal } = trace;
  const inspect = (url: string) => (
    <Link to="/sites/$siteId/url" params={{ siteId }} search={{ url }}>
      {url}
    </Link>
  );
  const found: ReactNode =
    foundBy === undefined ? (
      t.notFound
    ) : (
      <>
        {t.found[foundBy]} {foundBy === 'sitemap' && sitemap}
        {foundBy === 'page' && foundOn !== undefined && inspect(foundOn)}
      </>
    );
  return (
    <Card title={t.rules}>
      <Facts
        facts={[
          { name: t.scope, value: t[scope.decision] },
          { name: t.pattern, value: scope.pattern && <code>{scope.pattern}</code> },
          { name: t.robots, value: <RobotsWords robots={robots} /> },
          { name: t.foundBy, value: found },
          { name: t.aliasOf, value: aliasOf && inspect(aliasOf) },
          { name: t.removal, value: removal && t[removal.state] },
        ]}
      />
    </Card>
  );
}

export function RobotsWords({ robots }: { readonly robots: Schemas['RobotsDecision'] }) {
  const t = useUrlTexts();
  const { number } = useFormats();
  const { respected, allowed, rule, line } = robots;
  if (!respected) return <>{t.robotsIgnored}</>;
  if (allowed === undefined) return <>{t.robotsUnknown}</>;
  return (
    <>
      {allowed ? t.robotsAllowed : t.robotsForbidden}{' '}
      {rule !== undefined && line !== undefined && <code>{t.robotsLine(number(line), rule)}</code>}
    </>
  );
}

function PageCard({ page }: { readonly page: NonNullable<Schemas['UrlTrace']['page']> }) {
  const t = useUrlTexts();
  const { number } = useFormats();
  const { title, language, chunks, characters, source, indexedAt, publishedAt, canonical, aliases } = page;
  return (
    <Card title={t.page}>
      <Stack>
        <Facts
          facts={[
            { name: t.pageTitle, value: title },
            { name: t.language, value: language },
            { name: t.chunks, value: number(chunks) },
            { name: t.characters, value: characters === undefined ? undefined : number(characters) },
            { name: t.source, value: source === 'crawl' ? t.sourceCrawl : t.sourceIngest },
            { name: t.indexedAt, value: <Time seconds={indexedAt} /> },
            { name: t.published, value: publishedAt },
            { name: t.canonical, value: canonical },
            {
              name: t.aliases,
              value: aliases.length > 0 && (
                <ul className={styles.list}>
                  {aliases.map((alias) => (
                    <li key={alias}>{alias}</li>
                  ))}
                </ul>
              ),
            },
          ].filter(({ value }) => value !== false)}
        />
        {page.unlinked && <Notice>{t.unlinked}</Notice>}
        {page.truncated && <Notice tone="warn">{t.truncated}</Notice>}
        {!page.isSearchable && <Notice>{t.notSearchable}</Notice>}
      </Stack>
    </Card>
  );
}
