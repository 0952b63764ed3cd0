import type { Schemas } from '../../api.ts';
import { Card, Columns, Figures, Stack } from '../../components/card.tsx';
import { Notice } from '../../components/notice.tsx';
import { Table } from '../../components/table.tsx';
import { useFormats } from '../../formats.ts';
import { useUrlTexts } from '../../texts/url.ts';

type Factors = NonNullable<Schemas['QueryTrace']['factors']>;
const FACTORS = [
  'meaning',
  'words',
  'title',
  'gate',
  'textScore',
  'boost',
  'confidence',
] as const satisfies readonly (keyof Factors)[];

/** How a search ranks the page, and what its score is the product of. */
export function RankCard({ trace }: { readonly trace: Schemas['QueryTrace'] }) {
  const t = useUrlTexts();
  const { number, decimal } = useFormats();
  const { q, verdict, isFound, rank, totalResults, minScore, score, factors, words = [], corrections } = trace;
  return (
    <Card title={t.rankTitle(q)}>
      <Stack>
        <Notice tone={isFound ? 'good' : 'warn'}>
          <p lang="en">{verdict}</p>
          {corrections.map(({ from, to }) => (
            <p key={from}>{t.corrected(from, to)}</p>
          ))}
          {trace.degraded && <p>{t.degraded}</p>}
        </Notice>
        <Figures
          figures={[
            { name: t.rank, value: rank === null ? t.noRank : number(rank), note: t.ofResults(number(totalResults)) },
            ...(score === undefined
              ? []
              : [{ name: t.score, value: decimal(score), note: t.minScore(decimal(minScore)) }]),
          ]}
        />
        <Columns>
          {factors && (
            <div>
              <h3>{t.factorsTitle}</h3>
              <p>{t.factorsLead}</p>
              <Table
                caption={t.factorsTitle}
                columns={[
                  { name: t.factor, value: (name) => <code>{name}</code> },
                  { name: t.value, kind: 'number', value: (name) => decimal(factors[name]) },
                  { name: t.about, kind: 'text', value: (name) => t.factors[name] },
                ]}
                rows={FACTORS}
                keyOf={(name) => name}
              />
            </div>
          )}
          {words.length > 0 && (
            <div>
              <h3>{t.wordsTitle}</h3>
              <Table
                caption={t.wordsTitle}
                columns={[
                  { name: t.word, value: ({ word, counts }) => (counts ? word : `${word} (${t.tooCommon})`) },
                  { name: t.inChunk, kind: 'number', value: ({ inChunk }) => number(inChunk) },
                  { name: t.inTitle, value: ({ inTitle }) => (inTitle ? t.yes : t.no) },
                  { name: t.onSite, kind: 'number', value: ({ chunksOfSite }) => number(chunksOfSite) },
                ]}
                rows={words}
                keyOf={({ word }) => word}
              />
            </div>
          )}
        </Columns>
      </Stack>
    </Card>
  );
}
