import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

type Labels = {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with the value, and what to do. */
  readonly error?: string | undefined;
};

type ControlProps = { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: true };

/** A control with its label, a hint and a fault. The control takes the given attributes. */
export function Field({
  label,
  hint,
  error,
  children,
}: Labels & { readonly children: (props: ControlProps) => ReactNode }) {
  const id = useId();
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
        ...(error !== undefined && { 'aria-invalid': true as const }),
      })}
      {hint !== undefined && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className={styles.error} id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = Labels &
  Omit<ComponentProps<'input'>, 'onChange' | 'id'> & { readonly onChange: (value: string) => void };

export function TextField({ label, hint, error, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <input
          type="text"
          {...input}
          {...props}
          className={styles.control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type TextAreaProps = Labels &
  Omit<ComponentProps<'textarea'>, 'onChange' | 'id'> & { readonly onChange: (value: string) => void };

export function TextArea({ label, hint, error, onChange, ...input }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <textarea
          rows={4}
          {...input}
          {...props}
          className={`${styles.control} ${styles.area}`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export type Choice<Value extends string> = { readonly value: Value; readonly label: string };

type SelectProps<Value extends string> = Labels & {
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
};

export function Select<Value extends string>({ label, hint, error, value, choices, onChange }: SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <select
          {...props}
          className={`${styles.control} ${styles.select}`}
          value={value}
          onChange={(event) => {
            const chosen = choices.find((choice) => choice.value === event.target.value);
            if (chosen) onChange(chosen.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckboxProps = Omit<Labels, 'error'> & {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
};

export function Checkbox({ label, hint, isChecked, onChange, isDisabled }: CheckboxProps) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p className={styles.hint} id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
