import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, queryClient } from '../../api.ts';
import { Loaded } from '../../components/fault.tsx';
import { TextArea } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { linesOf, textOf } from '../../forms/lines.ts';
import { SectionForm } from '../../forms/section-form.tsx';
import { useSection } from '../../forms/use-section.ts';
import { useSettingsTexts } from '../../texts/settings.ts';
import styles from './settings.module.css';

type Scope = { readonly urls: readonly string[]; readonly warning?: string };

const draftOf = ({ urls }: Scope) => ({ urls: textOf(urls) });
const bodyOf = ({ urls }: { readonly urls: string }) => ({ urls: [...linesOf(urls)] });

const scopeQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['site', siteId, 'crawl-urls'],
    queryFn: ({ signal }) => call('GET /sites/{siteId}/crawl-urls', { path: { siteId }, signal }),
  });

/** The saved list of URLs that every crawl is restricted to. */
export function ScopeSection({ siteId }: { readonly siteId: string }) {
  const query = useQuery(scopeQuery(siteId));
  return (
    <Loaded query={query} skeleton={<Skeleton of="block" />}>
      {(scope) => <ScopeForm siteId={siteId} scope={scope} />}
    </Loaded>
  );
}

function ScopeForm({ siteId, scope }: { readonly siteId: string; readonly scope: Scope }) {
  const t = useSettingsTexts();
  const path = { siteId };
  const section = useSection({
    stored: scope,
    draftOf,
    bodyOf,
    load: () => queryClient.fetchQuery({ ...scopeQuery(siteId), staleTime: 0 }),
    save: async ({ urls = [] }) => {
      if (urls.length === 0) await call('DELETE /sites/{siteId}/crawl-urls', { path });
      else await call('PUT /sites/{siteId}/crawl-urls', { path, body: { urls } });
      await queryClient.invalidateQueries({ queryKey: scopeQuery(siteId).queryKey });
    },
  });
  const { draft, set, errorAt } = section;
  return (
    <SectionForm section={section} id="scope" title={t.scope} lead={t.scopeLead} names={{ urls: t.scopeUrls }}>
      {scope.warning !== undefined && <Notice tone="warn">{scope.warning}</Notice>}
      <TextArea
        className={styles.mono}
        label={t.scopeUrls}
        hint={t.scopeHint}
        value={draft.urls}
        onChange={(urls) => set({ urls })}
        error={errorAt('urls')}
        spellCheck={false}
      />
    </SectionForm>
  );
}
