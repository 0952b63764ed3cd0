import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Schemas } from '../../api.ts';
import { Fault } from '../../components/fault.tsx';
import { TextArea } from '../../components/field.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import { linesOf } from '../../forms/lines.ts';
import { useSettled } from '../../forms/use-settled.ts';
import { useSettingsTexts } from '../../texts/settings.ts';
import styles from './settings.module.css';
import type { Site } from './site-section.ts';

const MAX_URLS = 200;

type Props = {
  readonly site: Site;
  readonly patterns: { readonly includePatterns: readonly string[]; readonly excludePatterns: readonly string[] };
  /** The patterns may differ from the saved ones. */
  readonly isChanged: boolean;
};
type Tested = Schemas['TestedPatterns']['urls'][number];

/** Says which of some URLs a crawl may visit with the patterns of the form. The service decides, as in a crawl. */
export function PatternTester({ site, patterns, isChanged }: Props) {
  const t = useSettingsTexts();
  const [text, setText] = useState('');
  const asked = useSettled(JSON.stringify({ urls: linesOf(text).slice(0, MAX_URLS), ...patterns }));
  const { siteId } = site;
  const query = useQuery({
    queryKey: ['site', siteId, 'patterns', asked],
    queryFn: ({ signal }) =>
      call('POST /sites/{siteId}/test-patterns', { path: { siteId }, body: JSON.parse(asked), signal }),
    enabled: linesOf(text).length > 0 && !asked.includes('"urls":[]'),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const decisionOf = ({ scope }: Tested) => {
    if (!scope) return <StatusBadge tone="bad">{t.decisions.no_url}</StatusBadge>;
    const tone = scope.decision === 'admitted' ? 'good' : 'warn';
    return <StatusBadge tone={tone}>{t.decisions[scope.decision]}</StatusBadge>;
  };
  return (
    <details className={styles.tester}>
      <summary>{t.tester}</summary>
      <div className={styles.testerBody}>
        <TextArea
          className={styles.mono}
          label={t.testerUrls}
          hint={isChanged ? t.testerUnsaved : t.testerHint}
          value={text}
          onChange={setText}
          placeholder={`${site.baseUrl}\n/docs/`}
          spellCheck={false}
        />
        {query.error && <Fault error={query.error} title={t.testerFault} />}
        {query.data && !query.error && linesOf(text).length > 0 && (
          <Table<Tested>
            caption={t.testerResult}
            keyOf={({ written }) => written}
            rows={[...new Map(query.data.urls.map((tested) => [tested.written, tested])).values()]}
            columns={[
              { name: t.testedUrl, kind: 'wide', value: ({ url, written }) => url ?? written },
              { name: t.decision, value: decisionOf },
              { name: t.decidedBy, value: ({ scope }) => <code>{scope?.pattern ?? scope?.list ?? ''}</code> },
            ]}
          />
        )}
      </div>
    </details>
  );
}
