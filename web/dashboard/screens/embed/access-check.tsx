import { useState } from 'react';
import { originAllowed } from '../../../../lambdas/domain/sites/access/origin.ts';
import { Button } from '../../components/button.tsx';
import { Row } from '../../components/card.tsx';
import { Fault } from '../../components/fault.tsx';
import { Notice } from '../../components/notice.tsx';
import { say } from '../../components/toasts.tsx';
import { useEmbedTexts } from '../../texts/embed.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { type Site, type SiteChanges, updateSite } from '../settings/site-section.ts';

type AccessProblem = { readonly text: string; readonly act: string; readonly change: SiteChanges };

/** The origin of the website on which the widgets will be. */
export function websiteOf({ baseUrl, domain }: Site): URL {
  const written = domain ?? baseUrl;
  return URL.parse(/^https?:\/\//i.test(written) ? written : `https://${written}`) ?? new URL(baseUrl);
}

/** What keeps the widgets from working, each with a button that changes it. */
export function AccessCheck({ site }: { readonly site: Site }) {
  const t = useEmbedTexts();
  const { enabled, allowedDomains } = site.publicAccess;
  const website = websiteOf(site);
  const isOpenTo = (origin: string) => originAllowed(origin, allowedDomains);
  const allow = (host: string) => ({ publicAccess: { enabled: true, allowedDomains: [...allowedDomains, host] } });
  const faults: AccessProblem[] = [];
  if (!isOpenTo(website.origin))
    faults.push({ text: t.websiteMissing(website.host), act: t.allow(website.host), change: allow(website.host) });
  else if (!enabled) faults.push({ text: t.isOff, act: t.switchOn, change: { publicAccess: { enabled: true } } });
  else if (!isOpenTo(location.origin))
    faults.push({ text: t.previewMissing(location.host), act: t.allow(location.host), change: allow(location.host) });
  if (faults.length === 0) return null;
  return (
    <div>
      {faults.map((fault) => (
        <AccessFault key={fault.text} siteId={site.siteId} fault={fault} />
      ))}
    </div>
  );
}

function AccessFault({ siteId, fault }: { readonly siteId: string; readonly fault: AccessProblem }) {
  const shell = useShellTexts();
  const [state, setState] = useState<{ readonly isBusy?: true; readonly error?: unknown }>({});
  const fix = async () => {
    setState({ isBusy: true });
    try {
      await updateSite(siteId, fault.change);
      setState({});
      say(shell.saved);
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <Notice tone="warn">
      <p>{fault.text}</p>
      <Row>
        <Button kind="primary" isBusy={state.isBusy} onClick={() => void fix()}>
          {fault.act}
        </Button>
      </Row>
      {state.error !== undefined && <Fault error={state.error} />}
    </Notice>
  );
}
