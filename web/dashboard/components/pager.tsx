import { useRef } from 'react';
import { useFormats } from '../formats.ts';
import { useShellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import styles from './pager.module.css';

type PagerProps = {
  /** The cursor of the page that is shown, as in the address; undefined for the first. */
  readonly cursor: string | undefined;
  /** Of the answer. */
  readonly nextCursor: string | null | undefined;
  readonly onMove: (cursor: string | undefined) => void;
};

/** Leads through the pages of a list. After a reload it knows the first and the next page, but not the previous one. */
export function Pager({ cursor, nextCursor, onMove }: PagerProps) {
  const t = useShellTexts();
  const { number } = useFormats();
  const visited = useRef<(string | undefined)[]>([]);
  const index = visited.current.indexOf(cursor);
  const isKnown = cursor === undefined || index > 0;
  if (cursor === undefined) visited.current = [undefined];
  if (cursor === undefined && !nextCursor) return null;
  const next = () => {
    if (!nextCursor) return;
    visited.current = [...visited.current.slice(0, Math.max(0, index) + 1), nextCursor];
    onMove(nextCursor);
  };
  return (
    <nav aria-label={t.pages}>
      <div className={styles.pager}>
        {cursor !== undefined && <Button onClick={() => onMove(undefined)}>{t.firstPage}</Button>}
        {index > 1 && <Button onClick={() => onMove(visited.current[index - 1])}>{t.previousPage}</Button>}
        {nextCursor && <Button onClick={next}>{t.nextPage}</Button>}
        {isKnown && <span>{t.pageOfList(number(Math.max(0, index) + 1))}</span>}
      </div>
    </nav>
  );
}
