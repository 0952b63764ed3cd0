import type { ReactNode } from 'react';
import styles from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'calm';

/** A state in a word. The word says it; the colour and the shape repeat it. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      <span className={styles.mark} aria-hidden="true" />
      {children}
    </span>
  );
}
