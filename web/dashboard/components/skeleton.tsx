import { useShellTexts } from '../texts/shell.ts';
import styles from './skeleton.module.css';

type SkeletonProps = {
  /** How many lines of text will come. */
  readonly lines?: number;
  /** A table or a list with lines of this height will come. @default 'text' */
  readonly of?: 'text' | 'rows' | 'block';
};

const KEYS = Array.from({ length: 50 }, (_, index) => `line-${index}`);

/** Takes the room of what is loading. */
export function Skeleton({ lines = 3, of = 'text' }: SkeletonProps) {
  const t = useShellTexts();
  return (
    <div className={`${styles.skeleton} ${styles[of]}`} role="status">
      <span className="unseen">{t.loading}</span>
      {KEYS.slice(0, lines).map((key) => (
        <span key={key} className={styles.line} aria-hidden="true" />
      ))}
    </div>
  );
}
