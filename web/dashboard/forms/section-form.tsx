import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../components/button.tsx';
import { Fault } from '../components/fault.tsx';
import { say } from '../components/toasts.tsx';
import { useFormTexts } from '../texts/forms.ts';
import { useShellTexts } from '../texts/shell.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import styles from './forms.module.css';
import { isAtFields } from './issues.ts';
import { useUnsaved } from './unsaved.tsx';
import type { Section } from './use-section.ts';

type Props<Draft> = {
  readonly section: Section<Draft>;
  /** The fragment of the address that leads to the form. */
  readonly id: string;
  readonly title: string;
  readonly lead?: ReactNode;
  /** The names of the fields by their paths. A fault at another path is shown above the button. */
  readonly names: Readonly<Record<string, string>>;
  readonly refusal?: string | undefined;
  readonly children: ReactNode;
  /** What the form says after the fields, within it. */
  readonly after?: ReactNode;
  /** The text of the button. @default Save */
  readonly saveText?: string;
};

/** A part of a screen with a form of its own, and the button that saves it. */
export function SectionForm<Draft>({
  section,
  id,
  title,
  lead,
  names,
  refusal,
  children,
  after,
  ...props
}: Props<Draft>) {
  const { isDirty, isBusy, error, conflicts, save, overwrite, discard } = section;
  const t = useFormTexts();
  const shell = useShellTexts();
  const headingId = useId();
  useUnsaved(isDirty, title);
  const report = (isSaved: boolean) => isSaved && say(shell.saved);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty) return say(t.nothingToSave);
    if (!isBusy) report(await save());
  };
  return (
    <form
      className={styles.section}
      id={id}
      aria-labelledby={headingId}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <div className={styles.head}>
        <h2 id={headingId}>{title}</h2>
        {lead !== undefined && <p>{lead}</p>}
      </div>
      <div className={styles.fields}>{children}</div>
      {after}
      {conflicts.length > 0 && (
        <ConflictNotice
          conflicts={conflicts}
          names={names}
          onOverwrite={() => void overwrite().then(report)}
          onDiscard={discard}
        />
      )}
      {error !== undefined && !isAtFields(error, Object.keys(names)) && (
        <Fault error={error} title={shell.requestFailed} />
      )}
      <div className={styles.foot}>
        <Button type="submit" kind={isDirty ? 'primary' : 'plain'} isBusy={isBusy} refusal={refusal}>
          {props.saveText ?? shell.save}
        </Button>
        {isDirty && (
          <>
            <Button kind="quiet" onClick={discard}>
              {t.discard}
            </Button>
            <span className={styles.unsaved}>{t.unsaved}</span>
          </>
        )}
      </div>
    </form>
  );
}
