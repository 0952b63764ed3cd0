import { createValue, useValue } from '../value.ts';
import styles from './toasts.module.css';

type Toast = { readonly id: number; readonly text: string };

const SHOWN_MS = 6000;

const toasts = createValue<readonly Toast[]>([]);
let nextId = 0;

/** Shows a sentence for some seconds, and has it read by screen readers. */
export function say(text: string): void {
  const id = nextId++;
  toasts.set([...toasts.get().slice(-2), { id, text }]);
  setTimeout(() => toasts.set(toasts.get().filter((toast) => toast.id !== id)), SHOWN_MS);
}

/** The place of what `say` shows. There is one, outside of the screens. */
export function Toasts() {
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {useValue(toasts).map(({ id, text }) => (
        <p key={id} className={styles.toast}>
          {text}
        </p>
      ))}
    </div>
  );
}
