import type { ReactNode } from 'react';
import styles from './notice.module.css';

type NoticeProps = {
  readonly tone?: 'calm' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children?: ReactNode;
};

/** A remark within a screen. */
export function Notice({ tone = 'calm', title, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`}>
      {title !== undefined && <p className={styles.title}>{title}</p>}
      {children}
    </div>
  );
}
