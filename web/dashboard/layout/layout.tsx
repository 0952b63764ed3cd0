import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { organisationQuery } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { Toasts } from '../components/toasts.tsx';
import { session } from '../session.ts';
import { useShellTexts } from '../texts/shell.ts';
import { useValue } from '../value.ts';
import { ConnectionBar } from './connection-bar.tsx';
import styles from './layout.module.css';
import { Navigation } from './navigation.tsx';
import { SignIn } from './sign-in.tsx';

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })));
const NavigationDrawer = lazy(() =>
  import('./navigation-drawer.tsx').then(({ NavigationDrawer: component }) => ({ default: component })),
);

export type Overlay = 'sites' | 'everything' | 'navigation' | undefined;

/** What is around every screen. Without a key it is the sign-in screen. */
export function Layout() {
  return 'key' in useValue(session) ? <SignedIn /> : <SignIn />;
}

function SignedIn() {
  const t = useShellTexts();
  const [overlay, setOverlay] = useState<Overlay>();
  const { siteId } = useParams({ strict: false });
  useQuery(organisationQuery()); // the role of the key, and whether the service accepts it
  usePaletteKey(() => setOverlay('everything'));
  const main = useFocusOnMove();
  const navigation = <Navigation siteId={siteId} onOpen={setOverlay} />;
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#content">
        {t.skip}
      </a>
      <header className={styles.side}>{navigation}</header>
      <header className={styles.bar}>
        <Button kind="quiet" aria-label={t.openNavigation} onClick={() => setOverlay('navigation')}>
          <span className={styles.burger} aria-hidden="true" />
        </Button>
        <span className={styles.product}>{t.product}</span>
        <Button kind="quiet" onClick={() => setOverlay('everything')}>
          {t.findShort}
        </Button>
      </header>
      <main className={styles.main} id="content" ref={main} tabIndex={-1}>
        <ConnectionBar />
        <Suspense fallback={<Skeleton lines={6} />}>
          <Outlet />
        </Suspense>
      </main>
      <Suspense fallback={null}>
        {overlay === 'navigation' && (
          <NavigationDrawer onClose={() => setOverlay(undefined)}>{navigation}</NavigationDrawer>
        )}
        {(overlay === 'sites' || overlay === 'everything') && (
          <Palette of={overlay} siteId={siteId} onClose={() => setOverlay(undefined)} />
        )}
      </Suspense>
      <Toasts />
    </div>
  );
}

/** Ctrl+K, or Cmd+K, opens the command palette. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}

/** Moves the focus to a screen that was opened, so that screen readers begin at its heading. */
function useFocusOnMove() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const last = useRef(path);
  useEffect(() => {
    if (last.current !== path) main.current?.focus({ preventScroll: true });
    last.current = path;
  }, [path]);
  return main;
}
