import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { siteQuery } from '../../api.ts';
import { Loaded } from '../../components/fault.tsx';
import { Notice } from '../../components/notice.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { UnsavedGuard } from '../../forms/unsaved.tsx';
import { useSettingsTexts } from '../../texts/settings.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { useValue } from '../../value.ts';
import { AccessSection, AgentsSection, LimitsSection } from './access-sections.tsx';
import { BoostsSection } from './boosts-section.tsx';
import { CrawlingSection } from './crawling-section.tsx';
import { DangerSection } from './danger-section.tsx';
import { FieldsSection } from './fields-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { RemovalSection } from './removal-section.tsx';
import { ScheduleSection } from './schedule-section.tsx';
import { ScopeSection } from './scope-section.tsx';
import styles from './settings.module.css';
import { warnings } from './site-section.ts';
import { WebhooksSection } from './webhooks-section.tsx';

/** The settings of a site: one form for each part. */
export function SettingsScreen() {
  const { siteId } = useParams({ from: '/sites/$siteId/settings' });
  const query = useQuery(siteQuery(siteId));
  const t = useSettingsTexts();
  const shell = useShellTexts();
  const sections = [
    ['general', t.general],
    ['crawling', t.crawling],
    ['scope', t.scope],
    ['schedule', t.schedule],
    ['fields', t.fields],
    ['boosts', t.boosts],
    ['access', t.access],
    ['agents', t.agents],
    ['limits', t.limits],
    ['removal', t.removal],
    ['webhooks', t.webhooks],
    ['danger', t.danger],
  ] as const;
  return (
    <>
      <ScreenHeader title={shell.settings} lead={query.data?.name} />
      <div className={styles.screen}>
        <nav className={styles.contents} aria-label={t.contents}>
          <ul>
            {sections.map(([id, title]) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.sections}>
          <Loaded query={query} skeleton={<Skeleton of="block" lines={5} />}>
            {(site) => (
              <div className={styles.sections} key={siteId}>
                <Warnings siteId={siteId} />
                <GeneralSection site={site} />
                <CrawlingSection site={site} />
                <ScopeSection siteId={siteId} />
                <ScheduleSection siteId={siteId} />
                <FieldsSection site={site} />
                <BoostsSection site={site} />
                <AccessSection site={site} />
                <AgentsSection site={site} />
                <LimitsSection site={site} />
                <RemovalSection site={site} />
                <WebhooksSection siteId={siteId} />
                <DangerSection site={site} />
              </div>
            )}
          </Loaded>
        </div>
      </div>
      <UnsavedGuard />
    </>
  );
}

function Warnings({ siteId }: { readonly siteId: string }) {
  const t = useSettingsTexts();
  const last = useValue(warnings);
  const texts = last.siteId === siteId ? last.texts : [];
  return (
    <div role="status" className={styles.warnings}>
      {texts.length > 0 && (
        <Notice tone="warn" title={t.warnings}>
          <ul>
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
