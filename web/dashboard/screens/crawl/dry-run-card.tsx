import type { Schemas } from '../../api.ts';
import { Card, Figures, Stack } from '../../components/card.tsx';
import { useFormats } from '../../formats.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';
import { useOutcomeTexts } from '../../texts/outcomes.ts';
import styles from './crawl.module.css';

/** What a crawl would change, as a dry run has found out. */
export function DryRunCard({ dryRun }: { readonly dryRun: NonNullable<Schemas['CrawlJob']['dryRun']> }) {
  const t = useCrawlTexts();
  const words = useOutcomeTexts();
  const { number } = useFormats();
  const { added, changed, unchanged, gone, gonePages = [], embeddingTokens } = dryRun;
  return (
    <Card title={t.wouldTitle} lead={t.wouldLead}>
      <Stack>
        <Figures
          figures={[
            { name: t.wouldAdd, value: number(added) },
            { name: t.wouldChange, value: number(changed) },
            { name: t.wouldKeep, value: number(unchanged) },
            ...(gone === undefined ? [] : [{ name: t.wouldRemove, value: number(gone) }]),
            { name: t.tokens, value: number(embeddingTokens) },
          ]}
        />
        {gonePages.length > 0 && (
          <details className={styles.options}>
            <summary>{t.wouldRemoveList}</summary>
            <ul className={styles.list}>
              {gonePages.map(({ url, reason }) => (
                <li key={url}>
                  {url}{' '}
                  <span className={styles.count}>{words.reasons[reason as keyof typeof words.reasons] ?? reason}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Stack>
    </Card>
  );
}
