import type { ReactNode } from 'react';
import styles from './empty.module.css';

type EmptyProps = { readonly title: string; readonly children?: ReactNode };

/** Says that there is nothing yet, and what to do for it. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}
