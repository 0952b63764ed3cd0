import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = { readonly name: string; readonly value: ReactNode };

/** Names with their values, below each other. Facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const known = facts.filter(({ value }) => value !== undefined && value !== '' && value !== null);
  return (
    <dl className={styles.facts}>
      {known.map(({ name, value }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
