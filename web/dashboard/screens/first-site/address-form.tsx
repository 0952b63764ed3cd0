import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, queryClient, type Schemas, sitesQuery } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Stack } from '../../components/card.tsx';
import { Fault } from '../../components/fault.tsx';
import { TextField } from '../../components/field.tsx';
import { siteAddress } from '../../site-address.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { useSiteTexts } from '../../texts/sites.ts';
import styles from './first-site.module.css';

type AddressFormProps = {
  /** A site that has no pages yet, whose address was wrong. It gets the new one. */
  readonly site?: Schemas['Site'];
};

/** Asks for the address of a website, makes the site, and starts a dry run of its crawl. */
export function AddressForm({ site }: AddressFormProps) {
  const t = useSiteTexts();
  const shell = useShellTexts();
  const navigate = useNavigate();
  const [text, setText] = useState(site?.baseUrl ?? '');
  const [state, setState] = useState<{ readonly fault?: string; readonly isBusy?: true; readonly error?: unknown }>({});
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (state.isBusy) return;
    const baseUrl = siteAddress(text);
    if (baseUrl === undefined) return setState({ fault: t.addressFault });
    setState({ isBusy: true });
    try {
      const siteId = await siteWith(baseUrl, site?.siteId);
      const look = await startLook(siteId);
      await navigate({ to: '/sites/new', search: { site: siteId, look } });
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <div className={styles.line}>
          <TextField
            label={t.address}
            hint={t.addressHint}
            error={state.fault}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            onChange={(value) => {
              setText(value);
              setState({});
            }}
          />
          <Button type="submit" kind="primary" isBusy={state.isBusy}>
            {t.look}
          </Button>
        </div>
        {state.error !== undefined && <Fault error={state.error} title={shell.requestFailed} />}
      </Stack>
    </form>
  );
}

/** Enough to see what a website is like. Sitemaps and links name the pages beyond. */
const LOOK_PAGES = 1000;

/** The id of the site with an address: a known one, the given one with its address changed, or a new one. */
async function siteWith(baseUrl: string, siteId: string | undefined): Promise<string> {
  const { sites } = await queryClient.fetchQuery({ ...sitesQuery(), staleTime: 0 });
  const known = sites.find((site) => site.baseUrl === baseUrl);
  if (known) return known.siteId;
  const name = new URL(baseUrl).host;
  if (siteId !== undefined) {
    await call('PUT /sites/{siteId}', { path: { siteId }, body: { name, baseUrl } });
    await queryClient.invalidateQueries({ queryKey: ['site', siteId] });
    return siteId;
  }
  const made = await call('POST /sites', { body: { name, baseUrl } });
  void queryClient.invalidateQueries({ queryKey: ['sites'] });
  return made.siteId;
}

export async function startLook(siteId: string): Promise<string> {
  const { jobId } = await call('POST /sites/{siteId}/crawl', {
    path: { siteId },
    body: { dryRun: true, maxPages: LOOK_PAGES },
  });
  return jobId;
}
