import { useFormats } from '../formats.ts';
import { useShellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import styles from './pager.module.css';

type PagePickerProps = {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onMove: (page: number) => void;
};

/** Leads through the pages of a list that is known as a whole. */
export function PagePicker({ page, pages, onMove }: PagePickerProps) {
  const t = useShellTexts();
  const { number } = useFormats();
  if (pages <= 1) return null;
  return (
    <nav aria-label={t.pages}>
      <div className={styles.pager}>
        {page > 1 && <Button onClick={() => onMove(page - 1)}>{t.previousPage}</Button>}
        {page < pages && <Button onClick={() => onMove(page + 1)}>{t.nextPage}</Button>}
        <span>{t.pageOf(number(page), number(pages))}</span>
      </div>
    </nav>
  );
}

/** The entries of a page, from 1. */
export const pageOf = <Entry,>(entries: readonly Entry[], page: number, size: number): readonly Entry[] =>
  entries.slice((page - 1) * size, page * size);
