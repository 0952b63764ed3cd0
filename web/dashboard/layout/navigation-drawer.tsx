import { Dialog } from '@base-ui/react/dialog';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useShellTexts } from '../texts/shell.ts';
import styles from './navigation-drawer.module.css';

/** The navigation on a narrow screen: above the screen until a link of it was followed. */
export function NavigationDrawer({
  onClose,
  children,
}: {
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useShellTexts();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const openedAt = useRef(path);
  useEffect(() => {
    if (path !== openedAt.current) onClose();
  }, [path, onClose]);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.drawer} aria-label={t.navigation}>
          <Dialog.Close className={styles.close}>{t.close}</Dialog.Close>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
