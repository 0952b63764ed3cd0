import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { Empty } from '../../components/empty.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFormats } from '../../formats.ts';
import { usePlaygroundTexts } from '../../texts/playground.ts';
import type { Site } from '../settings/site-section.ts';
import styles from './playground.module.css';
import type { Preview, Result } from './preview-query.ts';

type Props = { readonly site: Site; readonly preview: Preview; readonly before: Preview | undefined };

/** The results with their scores, and how they have moved. */
export function ResultList({ site, preview: { query, results, closest = [] }, before }: Props) {
  const t = usePlaygroundTexts();
  if (results.length === 0 && closest.length === 0) return <Empty title={t.nothingFound} />;
  const shown = results.length > 0 ? results : closest;
  return (
    <>
      {results.length === 0 && <p className={styles.closest}>{t.closest}</p>}
      <ol className={styles.list}>
        {shown.map((result, index) => (
          <ResultItem
            key={result.url}
            site={site}
            query={query}
            result={result}
            rank={index + 1}
            rankBefore={before && before.results.findIndex(({ url }) => url === result.url) + 1}
          />
        ))}
      </ol>
    </>
  );
}

type ItemProps = {
  readonly site: Site;
  readonly query: string;
  readonly result: Result;
  readonly rank: number;
  /** 0 if the page was not among the results; undefined if there is nothing to compare with. */
  readonly rankBefore: number | undefined;
};

function ResultItem({ site: { siteId }, query, result, rank, rankBefore }: ItemProps) {
  const { url, title, snippet, highlights, score } = result;
  const t = usePlaygroundTexts();
  const { decimal } = useFormats();
  return (
    <li className={styles.result}>
      <span className={styles.rank}>{rank}</span>
      <div className={styles.words}>
        <a href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
        <span className={styles.url}>{url}</span>
        <p className={styles.snippet}>{marked(snippet, highlights)}</p>
        <p className={styles.facts}>
          <span>{t.score(decimal(Math.round(100 * score) / 100))}</span>
          <Moved rank={rank} before={rankBefore} />
          <Link to="/sites/$siteId/url" params={{ siteId }} search={{ url, q: query }}>
            {t.whyThisRank}
          </Link>
        </p>
      </div>
    </li>
  );
}

function Moved({ rank, before }: { readonly rank: number; readonly before: number | undefined }) {
  const t = usePlaygroundTexts();
  if (before === undefined || before === rank) return null;
  if (before === 0) return <StatusBadge tone="good">{t.isNew}</StatusBadge>;
  const up = before - rank;
  return (
    <StatusBadge tone={up > 0 ? 'good' : 'warn'}>
      <span aria-hidden="true">
        {up > 0 ? '↑' : '↓'} {Math.abs(up)}
      </span>
      <span className="unseen">{up > 0 ? t.up(up) : t.down(-up)}</span>
    </StatusBadge>
  );
}

/** The text with its matches, which are pairs of offsets. */
function marked(text: string, highlights: Result['highlights']): ReactNode {
  let end = 0;
  const parts = highlights.map(([from = 0, to = 0]) => {
    const before = text.slice(end, from);
    end = to;
    return (
      <Fragment key={from}>
        {before}
        <mark>{text.slice(from, to)}</mark>
      </Fragment>
    );
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}
