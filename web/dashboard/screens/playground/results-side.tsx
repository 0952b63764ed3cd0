import type { UseQueryResult } from '@tanstack/react-query';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Fault } from '../../components/fault.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { usePlaygroundTexts } from '../../texts/playground.ts';
import type { Site } from '../settings/site-section.ts';
import type { Mode } from './address.ts';
import styles from './playground.module.css';
import type { Preview, PreviewBody } from './preview-query.ts';
import { ResultList } from './result-list.tsx';

type Props = {
  readonly title: string;
  readonly site: Site;
  readonly mode: Mode;
  readonly body: PreviewBody | undefined;
  /** The answer is to earlier settings: it follows when somebody asks again. */
  readonly isBehind: boolean;
  readonly query: UseQueryResult<Preview>;
  /** What the saved settings find, to compare with. */
  readonly before?: Preview | undefined;
};

/** What is found with one set of boosts. */
export function ResultsSide({ title, site, mode, body, isBehind, query, before }: Props) {
  const t = usePlaygroundTexts();
  const { data, error, isPlaceholderData } = query;
  const isFirst = data === undefined && error === null;
  return (
    <Card title={title} lead={data && body && t.found(data.totalResults, data.totalIsLowerBound === true)}>
      <div aria-live="polite" aria-busy={body !== undefined && (isFirst || isPlaceholderData)}>
        {isBehind && <Notice>{t.askAgain}</Notice>}
        {body === undefined && !isBehind && <Empty title={t.nothingAsked} />}
        {body !== undefined && error && <Fault error={error} onRetry={() => void query.refetch()} />}
        {body !== undefined && isFirst && <Skeleton of="rows" lines={5} />}
        {body !== undefined && data && !error && (
          <div className={isPlaceholderData ? styles.old : undefined}>
            <Remarks preview={data} />
            {mode === 'chat' && data.answer && <Answer answer={data.answer} />}
            {mode === 'chat' && !data.answer && <Skeleton lines={4} />}
            <ResultList site={site} preview={data} before={before} />
          </div>
        )}
      </div>
    </Card>
  );
}

function Remarks({ preview: { corrections = [], phraseDropped } }: { readonly preview: Preview }) {
  const t = usePlaygroundTexts();
  if (corrections.length === 0 && !phraseDropped) return null;
  return (
    <Notice>
      {corrections.map(({ from, to }) => (
        <p key={from}>{t.corrected(from, to)}</p>
      ))}
      {phraseDropped && <p>{t.phraseDropped}</p>}
    </Notice>
  );
}

function Answer({ answer: { answer, sources, tokensUsed } }: { readonly answer: NonNullable<Preview['answer']> }) {
  const t = usePlaygroundTexts();
  return (
    <div className={styles.answer}>
      <h3>{t.answer}</h3>
      <p className={styles.answerText}>{answer}</p>
      {sources.length > 0 && (
        <ol>
          {sources.map(({ url, title }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                {title}
              </a>
            </li>
          ))}
        </ol>
      )}
      <p className={styles.note}>{t.tokens(tokensUsed)}</p>
    </div>
  );
}
