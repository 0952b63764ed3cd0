import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sitesQuery } from '../api.ts';
import { Button } from '../components/button.tsx';
import { useShellTexts } from '../texts/shell.ts';
import { AccountMenu } from './account-menu.tsx';
import type { Overlay } from './layout.tsx';
import styles from './navigation.module.css';

/** The screens of a site, in the order of the navigation. */
export const SITE_SCREENS = ['crawl', 'url', 'searches', 'playground', 'embed', 'reviews', 'settings'] as const;
/** The screens of the organisation. */
export const SCREENS = ['sites', 'groups', 'keys', 'organisation'] as const;

const LAST_SITE = 'site-search.site';

type NavigationProps = { readonly siteId: string | undefined; readonly onOpen: (overlay: Overlay) => void };

export function Navigation({ siteId, onOpen }: NavigationProps) {
  const t = useShellTexts();
  const shownId = useLastSite(siteId);
  const { data } = useQuery(sitesQuery());
  const site = data?.sites.find((one) => one.siteId === shownId);
  return (
    <div className={styles.navigation}>
      <p className={styles.brand}>
        <img src="/favicon.svg" alt="" width="24" height="24" />
        {t.product}
      </p>
      <Button className={styles.find ?? ''} onClick={() => onOpen('everything')} aria-keyshortcuts="Control+K Meta+K">
        {t.findShort}
        <kbd>Ctrl K</kbd>
      </Button>
      <nav className={styles.links} aria-label={t.navigation}>
        <NavigationLink to="/sites" label={t.sites} isExact />
        <div className={styles.group}>
          <Button
            className={styles.picker ?? ''}
            aria-label={site ? t.changeSite(site.name) : t.chooseSite}
            onClick={() => onOpen('sites')}
          >
            <span className={styles.name}>{site?.name ?? t.chooseSite}</span>
            <span className={styles.arrow} aria-hidden="true" />
          </Button>
          {site &&
            SITE_SCREENS.map((screen) => (
              <NavigationLink
                key={screen}
                to={`/sites/$siteId/${screen}`}
                params={{ siteId: site.siteId }}
                label={t[screen]}
              />
            ))}
        </div>
        {SCREENS.filter((screen) => screen !== 'sites').map((screen) => (
          <NavigationLink key={screen} to={`/${screen}`} label={t[screen]} />
        ))}
      </nav>
      <AccountMenu />
    </div>
  );
}

type NavigationLinkProps = Pick<LinkProps, 'to' | 'params'> & { readonly label: string; readonly isExact?: true };

function NavigationLink({ label, isExact, ...link }: NavigationLinkProps) {
  return (
    <Link {...link} className={styles.link} activeOptions={{ exact: isExact === true, includeSearch: false }}>
      {label}
    </Link>
  );
}

/** The site of the address, or else the one that was last open in this tab. */
function useLastSite(siteId: string | undefined): string | undefined {
  const [last, setLast] = useState(() => sessionStorage.getItem(LAST_SITE) ?? undefined);
  useEffect(() => {
    if (siteId === undefined) return;
    sessionStorage.setItem(LAST_SITE, siteId);
    setLast(siteId);
  }, [siteId]);
  return siteId ?? last;
}
