import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { siteQuery } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/fault.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useSiteTexts } from '../../texts/sites.ts';
import type { FirstSiteAddress } from './address.ts';
import { AddressForm } from './address-form.tsx';
import { CrawlStep } from './crawl-step.tsx';
import { EmbedStep } from './embed-step.tsx';
import styles from './first-site.module.css';
import { LookStep } from './look-step.tsx';
import { SearchStep } from './search-step.tsx';

const STEPS = ['address', 'look', 'crawl', 'search', 'embed'] as const;
type Step = (typeof STEPS)[number];

const route = getRouteApi('/sites/new');

/** From the address of a website to its search, in five steps. */
export function FirstSiteScreen() {
  const t = useSiteTexts();
  const address = route.useSearch();
  const step = stepOf(address);
  return (
    <>
      <ScreenHeader title={t.add} />
      <StepList current={step} />
      {address.site === undefined ? (
        <Card title={t.firstTitle} lead={t.firstLead}>
          <AddressForm />
        </Card>
      ) : (
        <SiteStep step={step} siteId={address.site} address={address} />
      )}
    </>
  );
}

function stepOf({ site, look, crawl, step }: FirstSiteAddress): Step {
  if (site === undefined) return 'address';
  if (step !== undefined) return step;
  if (crawl !== undefined) return 'crawl';
  return look === undefined ? 'address' : 'look';
}

function StepList({ current }: { readonly current: Step }) {
  const t = useSiteTexts();
  const names: Readonly<Record<Step, string>> = {
    address: t.stepAddress,
    look: t.stepLook,
    crawl: t.stepCrawl,
    search: t.stepSearch,
    embed: t.stepEmbed,
  };
  const index = STEPS.indexOf(current);
  return (
    <ol className={styles.steps} aria-label={t.steps}>
      {STEPS.map((step, position) => (
        <li
          key={step}
          className={position < index ? styles.done : undefined}
          aria-current={step === current ? 'step' : undefined}
        >
          {names[step]}
        </li>
      ))}
    </ol>
  );
}

type SiteStepProps = { readonly step: Step; readonly siteId: string; readonly address: FirstSiteAddress };

function SiteStep({ step, siteId, address }: SiteStepProps) {
  const t = useSiteTexts();
  const query = useQuery(siteQuery(siteId));
  const { look = '', crawl = '' } = address;
  return (
    <Loaded query={query} skeleton={<Skeleton of="block" lines={2} />}>
      {(site) => {
        if (step === 'look') return <LookStep site={site} jobId={look} />;
        if (step === 'crawl') return <CrawlStep site={site} jobId={crawl} />;
        if (step === 'search') return <SearchStep site={site} address={address} />;
        if (step === 'embed') return <EmbedStep site={site} />;
        return (
          <Card title={t.firstTitle} lead={t.firstLead}>
            <AddressForm site={site} />
          </Card>
        );
      }}
    </Loaded>
  );
}
