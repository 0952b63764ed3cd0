import { type ReactNode, useEffect } from 'react';
import { useShellTexts } from '../texts/shell.ts';
import styles from './screen-header.module.css';

type ScreenHeaderProps = {
  readonly title: string;
  /** What belongs to the title: the site, or a state. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
};

/** The heading of a screen, which is also the title of the tab. */
export function ScreenHeader({ title, lead, actions }: ScreenHeaderProps) {
  const t = useShellTexts();
  useEffect(() => {
    document.title = `${title} · ${t.product}`;
  }, [title, t]);
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {lead !== undefined && <div className={styles.lead}>{lead}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
