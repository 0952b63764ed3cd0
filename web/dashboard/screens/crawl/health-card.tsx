import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { healthQuery, type Schemas } from '../../api.ts';
import { Card, Figures, Stack } from '../../components/card.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFormats } from '../../formats.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';
import styles from './crawl.module.css';

/** What is wrong with a site, as its last completed crawl has seen it. */
export function HealthCard({ siteId }: { readonly siteId: string }) {
  const t = useCrawlTexts();
  const { percent, number } = useFormats();
  const query = useQuery(healthQuery(siteId));
  return (
    <Card title={t.healthTitle} lead={t.healthLead}>
      <Loaded query={query} skeleton={<Skeleton of="rows" lines={3} />}>
        {({ checkedAt, findings, selfCheck }) =>
          checkedAt === null ? (
            <p>{t.healthNone}</p>
          ) : (
            <Stack>
              {selfCheck && (
                <Figures
                  figures={[
                    {
                      name: t.byTitle,
                      value: percent(shareOf(selfCheck.byTitle)),
                      note: t.ofPages(number(selfCheck.byTitle.searched)),
                    },
                    {
                      name: t.byHeading,
                      value: percent(shareOf(selfCheck.byHeading)),
                      note: t.ofPages(number(selfCheck.byHeading.searched)),
                    },
                  ]}
                />
              )}
              {findings.length === 0 ? (
                <p>
                  <StatusBadge tone="good">{t.healthGood}</StatusBadge>
                </p>
              ) : (
                <div>
                  {findings.map((finding) => (
                    <Finding key={finding.kind} finding={finding} siteId={siteId} />
                  ))}
                </div>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

const shareOf = ({ searched, first }: Schemas['FoundShare']): number => (searched === 0 ? 1 : first / searched);

function Finding({ finding, siteId }: { readonly finding: Schemas['HealthFinding']; readonly siteId: string }) {
  const t = useCrawlTexts();
  const { number } = useFormats();
  const { what, advice, count, examples } = finding;
  return (
    <details className={styles.finding}>
      <summary lang="en">
        {what} <span className={styles.count}>({number(count)})</span>
      </summary>
      <p className={styles.advice} lang="en">
        {advice}
      </p>
      <ul className={styles.list}>
        {examples.map(({ url, title, reason }) => (
          <li key={url}>
            <Link to="/sites/$siteId/url" params={{ siteId }} search={{ url }}>
              {title ?? url}
            </Link>{' '}
            <span className={styles.count}>{[title && url, reason].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      <p className={styles.count}>{t.examples(number(examples.length), number(count))}</p>
    </details>
  );
}
