import styles from './progress.module.css';

type ProgressProps = {
  readonly label: string;
  /** From 0 to 1; undefined if nobody knows how much there is. */
  readonly share: number | undefined;
};

export function Progress({ label, share }: ProgressProps) {
  return (
    <progress
      className={styles.progress}
      aria-label={label}
      max={1}
      {...(share !== undefined && { value: Math.min(1, Math.max(0, share)) })}
    />
  );
}

export type Part = {
  readonly name: string;
  readonly count: number;
  readonly tone: 'good' | 'warn' | 'bad' | 'busy' | 'calm';
};

/** A bar of parts. It only repeats numbers that are beside it, so screen readers leave it out. */
export function PartsBar({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <div className={styles.parts} aria-hidden="true">
      {parts
        .filter(({ count }) => count > 0)
        .map(({ name, count, tone }) => (
          <span key={name} className={styles[tone]} style={{ flexGrow: count }} title={name} />
        ))}
    </div>
  );
}
