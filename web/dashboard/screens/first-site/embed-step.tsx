import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, queryClient, type Schemas } from '../../api.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { Code } from '../../components/code.tsx';
import { Fault } from '../../components/fault.tsx';
import { TextField } from '../../components/field.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { suggestedDomains } from '../../site-address.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { useSiteTexts } from '../../texts/sites.ts';
import styles from './first-site.module.css';

/** Switches public search on, and gives the line to embed. */
export function EmbedStep({ site }: { readonly site: Schemas['Site'] }) {
  const t = useSiteTexts();
  const { siteId, publicAccess } = site;
  const isOn = publicAccess.enabled && publicAccess.allowedDomains.length > 0;
  return (
    <Card title={t.embedTitle} lead={t.embedLead}>
      <Stack>
        {isOn ? <StatusBadge tone="good">{t.isOn}</StatusBadge> : <AccessForm site={site} />}
        {isOn && (
          <>
            <h3>{t.embedCode}</h3>
            <Code text={embedLine(siteId)} of={t.embedCodeName} />
            <div className={styles.buttons}>
              <Link to="/sites/$siteId/crawl" params={{ siteId }} className={buttonClass('primary')}>
                {t.finish}
              </Link>
              <Link to="/sites/$siteId/embed" params={{ siteId }} className={buttonClass()}>
                {t.embedMore}
              </Link>
              <a href={`/?site=${siteId}`}>{t.openPage}</a>
            </div>
          </>
        )}
      </Stack>
    </Card>
  );
}

/** The script of this service, and the button that opens the search. */
const embedLine = (siteId: string): string =>
  `<script async src="${location.origin}/v1/site-search.js"></script>\n<site-search-button site="${siteId}"></site-search-button>`;

function AccessForm({ site }: { readonly site: Schemas['Site'] }) {
  const t = useSiteTexts();
  const shell = useShellTexts();
  const { siteId, baseUrl, publicAccess } = site;
  const known = publicAccess.allowedDomains;
  const [text, setText] = useState(() => (known.length > 0 ? known : suggestedDomains(baseUrl)).join(', '));
  const [state, setState] = useState<{ readonly fault?: string; readonly isBusy?: true; readonly error?: unknown }>({});
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (state.isBusy) return;
    const allowedDomains = text.split(/[\s,]+/).filter(Boolean);
    if (allowedDomains.length === 0) return setState({ fault: t.domainsFault });
    setState({ isBusy: true });
    try {
      await call('PUT /sites/{siteId}', {
        path: { siteId },
        body: { publicAccess: { enabled: true, searchEnabled: true, allowedDomains } },
      });
      await queryClient.invalidateQueries({ queryKey: ['site', siteId] });
      setState({});
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <TextField
          label={t.domains}
          hint={t.domainsHint}
          error={state.fault}
          value={text}
          onChange={setText}
          spellCheck={false}
        />
        {state.error !== undefined && <Fault error={state.error} title={shell.requestFailed} />}
        <div>
          <Button type="submit" kind="primary" isBusy={state.isBusy}>
            {t.switchOn}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
