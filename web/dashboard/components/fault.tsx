import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SearchError } from '../../../packages/client/src/search-error.ts';
import { useShellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import styles from './fault.module.css';

/** The sentence of the contract for an error, with what is wrong with the input. */
export function faultText(error: unknown): string {
  if (!(error instanceof SearchError)) return error instanceof Error ? error.message : String(error);
  const issues = error.issues.map(({ path, message }) => `${path}: ${message}`);
  const isSaid = issues.every((issue) => error.message.includes(issue));
  return isSaid ? error.message : [error.message, ...issues].join(' ');
}

type FaultProps = { readonly error: unknown; readonly title?: string; readonly onRetry?: (() => void) | undefined };

/** Says what failed in the words of the service, and offers to try again. */
export function Fault({ error, title, onRetry }: FaultProps) {
  const t = useShellTexts();
  return (
    <div className={styles.fault} role="alert">
      <p className={styles.title}>{title ?? t.faultTitle}</p>
      <p lang="en">{faultText(error)}</p>
      {onRetry && <Button onClick={onRetry}>{t.retry}</Button>}
    </div>
  );
}

type LoadedProps<Data> = {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>;
  /** Is shown until there are data. It takes the room that they will take. */
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** The data of a query; a skeleton until they are there; the fault if they cannot be read. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  const t = useShellTexts();
  const { data, error, isPlaceholderData } = query;
  const retry = () => void query.refetch();
  if (data === undefined) return error ? <Fault error={error} onRetry={retry} /> : skeleton;
  return (
    <>
      {error && <Fault error={error} title={t.staleData} onRetry={retry} />}
      <div className={isPlaceholderData ? styles.old : undefined} aria-busy={isPlaceholderData || undefined}>
        {children(data)}
      </div>
    </>
  );
}
