import { useQuery } from '@tanstack/react-query';
import { call, type Schemas } from '../../api.ts';
import { Card, Stack } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Progress } from '../../components/progress.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFormats } from '../../formats.ts';
import { useUrlTexts } from '../../texts/url.ts';
import { StepsTable } from './steps-table.tsx';
import { RobotsWords } from './trace-cards.tsx';
import styles from './url.module.css';

/** Fetches a URL as a crawl would do it, and shows what was read. */
export function TestCard({ siteId, url }: { readonly siteId: string; readonly url: string }) {
  const t = useUrlTexts();
  const query = useQuery({
    queryKey: ['site', siteId, 'test', url],
    queryFn: ({ signal }) => call('POST /sites/{siteId}/test-url', { path: { siteId }, body: { url }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Card title={t.testTitle}>
      <Loaded
        query={query}
        skeleton={
          <div role="status">
            <Progress label={t.testing} share={undefined} />
            <p>{t.testing}</p>
          </div>
        }
      >
        {(tested) => <Tested tested={tested} />}
      </Loaded>
    </Card>
  );
}

function Tested({ tested }: { readonly tested: Schemas['TestedUrl'] }) {
  const t = useUrlTexts();
  const { number } = useFormats();
  const { isIndexable, steps, page, scope, robots } = tested;
  const explanation = steps.at(-1)?.explanation;
  return (
    <Stack>
      <div className={styles.verdict}>
        <StatusBadge tone={isIndexable ? 'good' : 'warn'}>{isIndexable ? t.indexable : t.notIndexable}</StatusBadge>
        {explanation !== undefined && <p lang="en">{explanation}</p>}
      </div>
      <Facts
        facts={[
          { name: t.scope, value: t[scope.decision] },
          { name: t.pattern, value: scope.pattern && <code>{scope.pattern}</code> },
          { name: t.robots, value: <RobotsWords robots={robots} /> },
        ]}
      />
      <h3>{t.steps}</h3>
      <StepsTable caption={t.steps} rows={steps} first={{ name: t.title, value: (step) => step.url }} />
      {page && (
        <>
          <h3>{t.readPage}</h3>
          <Facts
            facts={[
              { name: t.pageTitle, value: page.title },
              { name: t.description, value: page.description },
              { name: t.contentType, value: page.contentType },
              { name: t.language, value: page.language },
              { name: t.published, value: page.publishedAt },
              { name: t.canonical, value: page.canonical },
              { name: t.tags, value: page.tags.join(', ') },
              { name: t.chunks, value: number(page.chunks) },
              { name: t.characters, value: number(page.characters) },
              { name: t.headings, value: page.headings.join(' · ') },
              { name: t.linksName, value: t.links(number(page.linkCount)) },
            ]}
          />
          <details>
            <summary>{t.text}</summary>
            <p className={styles.text}>{page.text}</p>
          </details>
        </>
      )}
    </Stack>
  );
}
