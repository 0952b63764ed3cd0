import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchError } from '../../../../packages/client/src/search-error.ts';
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

const MAX_URLS = 20;

type Props = {
  readonly site: Site;
  readonly patterns: { readonly includePatterns: readonly string[]; readonly excludePatterns: readonly string[] };
  /** The patterns may differ from the saved ones. */
  readonly isChanged: boolean;
};
type Asked = Props['patterns'] & { readonly urls: readonly string[] };
/** Without a decision, it is no URL. */
type Tested = { readonly written: string; readonly url?: string; readonly scope?: Schemas['UrlScope'] };

/** Says which of some URLs a crawl may visit with the patterns of the form. The service decides, as in a crawl. */
export function PatternTester({ site, patterns, isChanged }: Props) {
  const t = useSettingsTexts();
  const [text, setText] = useState('');
  const asked = useSettled(JSON.stringify({ urls: [...new Set(linesOf(text))].slice(0, MAX_URLS), ...patterns }));
  const { siteId } = site;
  const query = useQuery({
    queryKey: ['site', siteId, 'patterns', asked],
    queryFn: ({ signal }) => tested(siteId, JSON.parse(asked), signal),
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
            rows={query.data}
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

const tested = (siteId: string, { urls, includePatterns, excludePatterns }: Asked, signal: AbortSignal) =>
  Promise.all(
    urls.map(async (written): Promise<Tested> => {
      const patterns = { includePatterns: [...includePatterns], excludePatterns: [...excludePatterns] };
      const body = { url: written, fetch: false, ...patterns };
      try {
        const { url, scope } = await call('POST /sites/{siteId}/test-url', { path: { siteId }, body, signal });
        return { written, url, scope };
      } catch (error) {
        const isNoUrl = error instanceof SearchError && error.status === 400 && error.issues.length === 0;
        if (isNoUrl) return { written };
        throw error;
      }
    }),
  );
