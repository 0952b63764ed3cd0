import { Checkbox, Select, TextArea, TextField } from '../../components/field.tsx';
import { linesOf } from '../../forms/lines.ts';
import { RowsField } from '../../forms/rows-field.tsx';
import { SectionForm } from '../../forms/section-form.tsx';
import type { Section } from '../../forms/use-section.ts';
import { useSettingsTexts } from '../../texts/settings.ts';
import { type CrawlDraft, crawlBodyOf, crawlDraftOf, type SitemapRow } from './crawl-draft.ts';
import { PatternTester } from './pattern-tester.tsx';
import styles from './settings.module.css';
import { type Site, useSiteSection } from './site-section.ts';

/** What a crawl reads. */
export function CrawlingSection({ site }: { readonly site: Site }) {
  const t = useSettingsTexts();
  const section = useSiteSection<CrawlDraft, ReturnType<typeof crawlBodyOf>>(site, crawlDraftOf, crawlBodyOf);
  const { draft, isDirty } = section;
  const names = Object.fromEntries(
    Object.entries(t.crawlNames).map(([name, label]) => [`crawlerConfig.${name}`, label]),
  );
  const patterns = {
    includePatterns: linesOf(draft.includePatterns),
    excludePatterns: linesOf(draft.excludePatterns),
  };
  return (
    <SectionForm section={section} id="crawling" title={t.crawling} lead={t.crawlingLead} names={names}>
      <Limits section={section} />
      <Patterns section={section} />
      <PatternTester site={site} patterns={patterns} isChanged={isDirty} />
      <Sources section={section} />
      <Content section={section} />
    </SectionForm>
  );
}

type PartProps = { readonly section: Section<CrawlDraft> };

function Limits({ section: { draft, set, errorAt } }: PartProps) {
  const t = useSettingsTexts();
  const numbers = [
    ['maxPages', t.maxPagesHint],
    ['maxDepth', t.maxDepthHint],
    ['delayMs', t.delayHint],
  ] as const;
  return (
    <>
      <div className={styles.columns}>
        {numbers.map(([name, hint]) => (
          <TextField
            key={name}
            label={t.crawlNames[name]}
            hint={hint}
            inputMode="numeric"
            value={draft[name]}
            onChange={(value) => set({ [name]: value })}
            error={errorAt(`crawlerConfig.${name}`)}
            autoComplete="off"
          />
        ))}
      </div>
      <Select
        label={t.crawlNames.javascriptEnabled}
        hint={t.scriptsHint}
        value={draft.javascriptEnabled}
        choices={t.scriptsModes}
        onChange={(javascriptEnabled) => set({ javascriptEnabled })}
        error={errorAt('crawlerConfig.javascriptEnabled')}
      />
      <Checkbox
        label={t.crawlNames.respectRobotsTxt}
        hint={t.robotsHint}
        isChecked={draft.respectRobotsTxt}
        onChange={(respectRobotsTxt) => set({ respectRobotsTxt })}
      />
    </>
  );
}

function Patterns({ section: { draft, set, errorAt } }: PartProps) {
  const t = useSettingsTexts();
  return (
    <div className={styles.columns}>
      {(['includePatterns', 'excludePatterns'] as const).map((name) => (
        <TextArea
          key={name}
          className={styles.mono}
          label={t.crawlNames[name]}
          hint={name === 'includePatterns' ? t.includeHint : t.excludeHint}
          value={draft[name]}
          onChange={(value) => set({ [name]: value })}
          error={errorAt(`crawlerConfig.${name}`)}
          spellCheck={false}
        />
      ))}
    </div>
  );
}

function Sources({ section: { draft, set, errorAt } }: PartProps) {
  const t = useSettingsTexts();
  return (
    <>
      <RowsField<SitemapRow>
        legend={t.crawlNames.sitemaps}
        hint={t.sitemapsHint}
        rows={draft.sitemaps}
        onChange={(sitemaps) => set({ sitemaps })}
        newRow={() => ({ url: '', recursive: false })}
        addText={t.addSitemap}
      >
        {(row, change, index) => (
          <>
            <TextField
              label={t.sitemapUrl}
              value={row.url}
              onChange={(url) => change({ url })}
              error={errorAt(`crawlerConfig.sitemaps.${index}.url`)}
              placeholder="/sitemap.xml"
              spellCheck={false}
            />
            <Checkbox
              label={t.sitemapRecursive}
              isChecked={row.recursive}
              onChange={(recursive) => change({ recursive })}
            />
          </>
        )}
      </RowsField>
      <TextArea
        className={styles.mono}
        label={t.crawlNames.singleUrls}
        hint={t.singleUrlsHint}
        rows={2}
        value={draft.singleUrls}
        onChange={(singleUrls) => set({ singleUrls })}
        error={errorAt('crawlerConfig.singleUrls')}
        spellCheck={false}
      />
    </>
  );
}

function Content({ section: { draft, set, errorAt } }: PartProps) {
  const t = useSettingsTexts();
  return (
    <div className={styles.columns}>
      <TextField
        label={t.crawlNames.contentSelector}
        hint={t.contentSelectorHint}
        value={draft.contentSelector}
        onChange={(contentSelector) => set({ contentSelector })}
        error={errorAt('crawlerConfig.contentSelector')}
        placeholder="main article"
        spellCheck={false}
        autoComplete="off"
      />
      <TextArea
        className={styles.mono}
        label={t.crawlNames.excludeSelectors}
        hint={t.excludeSelectorsHint}
        rows={2}
        value={draft.excludeSelectors}
        onChange={(excludeSelectors) => set({ excludeSelectors })}
        error={errorAt('crawlerConfig.excludeSelectors')}
        spellCheck={false}
      />
    </div>
  );
}
