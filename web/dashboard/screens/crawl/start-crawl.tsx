import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, type Schemas, siteQuery } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Fault } from '../../components/fault.tsx';
import { Checkbox, Select, TextArea, TextField } from '../../components/field.tsx';
import { say } from '../../components/toasts.tsx';
import { useFormats } from '../../formats.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';
import { useShellTexts } from '../../texts/shell.ts';
import styles from './crawl.module.css';

type Overrides = Schemas['CrawlOverrides'];
type Form = {
  readonly maxPages: string;
  readonly maxDepth: string;
  readonly singleUrls: string;
  readonly includePatterns: string;
  readonly excludePatterns: string;
  readonly javascript: 'site' | 'off' | 'auto' | 'on';
  readonly ignoresRobots: boolean;
  readonly isDryRun: boolean;
};

const EMPTY: Form = {
  maxPages: '',
  maxDepth: '',
  singleUrls: '',
  includePatterns: '',
  excludePatterns: '',
  javascript: 'site',
  ignoresRobots: false,
  isDryRun: false,
};
const JAVASCRIPT = { off: false, auto: 'auto', on: true } as const;
const MAX_PAGES = 1_000_000;
const MAX_DEPTH = 100;

/** The button that starts a crawl, and the form with settings for this crawl only. */
export function StartCrawl({ siteId }: { readonly siteId: string }) {
  const t = useCrawlTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {t.start}
      </Button>
      {isOpen && <StartDialog siteId={siteId} onClose={() => setOpen(false)} />}
    </>
  );
}

function StartDialog({ siteId, onClose }: { readonly siteId: string; readonly onClose: () => void }) {
  const t = useCrawlTexts();
  const shell = useShellTexts();
  const { number } = useFormats();
  const { data: site } = useQuery(siteQuery(siteId));
  const start = useStartCrawl(siteId);
  const [form, setForm] = useState(EMPTY);
  const [state, setState] = useState<{ readonly isBusy?: true; readonly error?: unknown }>({});
  const change = (part: Partial<Form>) => setForm({ ...form, ...part });
  const faults = {
    maxPages: numberFault(form.maxPages, MAX_PAGES) && t.numberFault('1', number(MAX_PAGES)),
    maxDepth: numberFault(form.maxDepth, MAX_DEPTH) && t.numberFault('0', number(MAX_DEPTH)),
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (state.isBusy || faults.maxPages || faults.maxDepth) return;
    setState({ isBusy: true });
    try {
      await start(overridesOf(form));
      onClose();
    } catch (error) {
      setState({ error });
    }
  };
  const config = site?.crawlerConfig;
  return (
    <Dialog isOpen onClose={onClose} title={t.start} description={t.startLead}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <Checkbox
          label={t.dryRunLabel}
          hint={t.dryRunHint}
          isChecked={form.isDryRun}
          onChange={(isDryRun) => change({ isDryRun })}
        />
        <details className={styles.options}>
          <summary>{t.options}</summary>
          <div className={styles.form}>
            <TextField
              label={t.maxPages}
              hint={t.asSite(config ? number(config.maxPages) : '…')}
              error={faults.maxPages || undefined}
              inputMode="numeric"
              value={form.maxPages}
              onChange={(maxPages) => change({ maxPages })}
            />
            <TextField
              label={t.maxDepth}
              hint={t.asSite(config ? number(config.maxDepth) : '…')}
              error={faults.maxDepth || undefined}
              inputMode="numeric"
              value={form.maxDepth}
              onChange={(maxDepth) => change({ maxDepth })}
            />
            <TextArea
              label={t.singleUrls}
              hint={t.singleUrlsHint}
              value={form.singleUrls}
              onChange={(singleUrls) => change({ singleUrls })}
            />
            <TextArea
              label={t.includePatterns}
              hint={t.patternsHint}
              rows={2}
              value={form.includePatterns}
              onChange={(includePatterns) => change({ includePatterns })}
            />
            <TextArea
              label={t.excludePatterns}
              hint={t.patternsHint}
              rows={2}
              value={form.excludePatterns}
              onChange={(excludePatterns) => change({ excludePatterns })}
            />
            <Select
              label={t.javascript}
              value={form.javascript}
              choices={[
                { value: 'site', label: t.javascriptAsSite },
                { value: 'off', label: t.javascriptOff },
                { value: 'auto', label: t.javascriptAuto },
                { value: 'on', label: t.javascriptOn },
              ]}
              onChange={(javascript) => change({ javascript })}
            />
            <Checkbox
              label={t.ignoreRobots}
              isChecked={form.ignoresRobots}
              onChange={(ignoresRobots) => change({ ignoresRobots })}
            />
          </div>
        </details>
        {state.error !== undefined && <Fault error={state.error} title={shell.requestFailed} />}
        <div className={styles.end}>
          <Button onClick={onClose}>{shell.close}</Button>
          <Button type="submit" kind="primary" isBusy={state.isBusy}>
            {form.isDryRun ? t.startDryRun : t.startNow}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns a function that starts a crawl and opens its screen. */
export function useStartCrawl(siteId: string): (overrides: Overrides) => Promise<void> {
  const t = useCrawlTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (overrides) => {
    const { jobId } = await call('POST /sites/{siteId}/crawl', { path: { siteId }, body: overrides });
    void client.invalidateQueries({ queryKey: ['site', siteId] });
    void client.invalidateQueries({ queryKey: ['sites'] });
    say(t.crawlStarted);
    await navigate({ to: '/sites/$siteId/crawl/$jobId', params: { siteId, jobId } });
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function overridesOf(form: Form): Overrides {
  const singleUrls = linesOf(form.singleUrls);
  const includePatterns = linesOf(form.includePatterns);
  const excludePatterns = linesOf(form.excludePatterns);
  return {
    ...(form.maxPages !== '' && { maxPages: Number(form.maxPages) }),
    ...(form.maxDepth !== '' && { maxDepth: Number(form.maxDepth) }),
    ...(singleUrls.length > 0 && { singleUrls }),
    ...(includePatterns.length > 0 && { includePatterns }),
    ...(excludePatterns.length > 0 && { excludePatterns }),
    ...(form.javascript !== 'site' && { javascriptEnabled: JAVASCRIPT[form.javascript] }),
    ...(form.ignoresRobots && { respectRobotsTxt: false }),
    ...(form.isDryRun && { dryRun: true }),
  };
}

const numberFault = (text: string, max: number): boolean =>
  text !== '' && !(/^\d{1,9}$/.test(text) && Number(text) <= max);
