import { type ComponentProps, useId } from 'react';
import styles from './button.module.css';

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet';

/** The classes of a button, for a link that looks like one. */
export const buttonClass = (kind: ButtonKind = 'plain'): string => `${styles.button} ${styles[kind]}`;

type ButtonProps = ComponentProps<'button'> & {
  readonly kind?: ButtonKind;
  /** The action runs: the button keeps its size and its focus, and cannot be pressed. */
  readonly isBusy?: boolean | undefined;
  /** Why the button cannot be pressed. It is shown below the button and read with it. */
  readonly refusal?: string | undefined;
};

/** A button. One that cannot be pressed stays in the order of the keyboard, so that its reason can be read. */
export function Button({ kind, isBusy, refusal, className = '', onClick, type = 'button', ...rest }: ButtonProps) {
  const reasonId = useId();
  const isOff = isBusy === true || refusal !== undefined;
  const button = (
    <button
      {...rest}
      type={type}
      className={`${buttonClass(kind)} ${className}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      aria-describedby={refusal === undefined ? rest['aria-describedby'] : reasonId}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    />
  );
  if (refusal === undefined) return button;
  return (
    <span className={styles.refused}>
      {button}
      <span id={reasonId} className={styles.refusal}>
        {refusal}
      </span>
    </span>
  );
}
