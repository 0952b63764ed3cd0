import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { sitesQuery } from '../api.ts';
import { useFormats } from '../formats.ts';
import { useShellTexts } from '../texts/shell.ts';
import { guideQuery } from './guide.ts';
import { SCREENS, SITE_SCREENS } from './navigation.tsx';
import styles from './palette.module.css';

const LIMIT = 40;

type Place = { readonly id: string; readonly label: string; readonly note: string; readonly href: string };

type PaletteProps = {
  /** The palette finds sites alone, or all there is. */
  readonly of: 'sites' | 'everything';
  readonly siteId: string | undefined;
  readonly onClose: () => void;
};

/** Finds sites, screens and pages of the guide by name, and opens them. */
export function Palette({ of, siteId, onClose }: PaletteProps) {
  const t = useShellTexts();
  const { number } = useFormats();
  const router = useRouter();
  const places = usePlaces(of, siteId);
  const [text, setText] = useState('');
  const found = useMemo(() => matching(places, text), [places, text]);
  const open = ({ href }: Place) => {
    onClose();
    if (href.startsWith('/app/')) void router.navigate({ href });
    else location.assign(href);
  };
  const label = of === 'sites' ? t.chooseSite : t.find;
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label={label}>
          <Autocomplete.Root
            inline
            open
            items={found.slice(0, LIMIT)}
            filter={null}
            value={text}
            onValueChange={setText}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(place: Place) => place.label}
          >
            <Autocomplete.Input className={styles.input} placeholder={label} aria-label={label} />
            <div className={styles.results}>
              <Autocomplete.Empty className={styles.empty}>{found.length === 0 && t.noMatch}</Autocomplete.Empty>
              <Autocomplete.List className={styles.list}>
                {(place: Place) => (
                  <Autocomplete.Item key={place.id} value={place} className={styles.item} onClick={() => open(place)}>
                    <span className={styles.label}>{place.label}</span>
                    <span className={styles.note}>{place.note}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
              {found.length > LIMIT && <p className={styles.empty}>{t.moreMatches(number(found.length - LIMIT))}</p>}
            </div>
          </Autocomplete.Root>
          <Dialog.Close className={styles.close}>{t.close}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function usePlaces(of: PaletteProps['of'], siteId: string | undefined): readonly Place[] {
  const t = useShellTexts();
  const { data: sites } = useQuery(sitesQuery());
  const { data: guide } = useQuery({ ...guideQuery(), enabled: of === 'everything' });
  return useMemo(() => {
    const known = sites?.sites ?? [];
    const ofSites = known.map(({ siteId: id, name, baseUrl }) => ({
      id,
      label: name,
      note: baseUrl,
      href: `/app/sites/${id}/crawl`,
    }));
    if (of === 'sites') return ofSites;
    const current = known.find((site) => site.siteId === siteId);
    const ofSite = current
      ? SITE_SCREENS.map((screen) => ({
          id: screen,
          label: t[screen],
          note: current.name,
          href: `/app/sites/${current.siteId}/${screen}`,
        }))
      : [];
    const screens = SCREENS.map((screen) => ({
      id: screen,
      label: t[screen],
      note: t.organisation,
      href: `/app/${screen}`,
    }));
    const add = { id: 'new', label: t.addSite, note: t.sites, href: '/app/sites/new' };
    const reference = { id: 'docs', label: t.apiReference, note: t.guide, href: '/docs' };
    const pages = (guide ?? []).map(({ href, title }) => ({ id: href, label: title, note: t.guide, href }));
    return [...ofSite, ...screens, add, ...ofSites, reference, ...pages];
  }, [of, siteId, sites, guide, t]);
}

/** The places that have every word in their name or note; those whose name begins with the text come first. */
function matching(places: readonly Place[], text: string): readonly Place[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return places;
  const found = places.filter(({ label, note }) => {
    const all = `${label} ${note}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = (place: Place) => Number(place.label.toLowerCase().startsWith(words[0] ?? ''));
  return found.toSorted((a, b) => begins(b) - begins(a));
}
