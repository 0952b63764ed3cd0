import { useBlocker } from '@tanstack/react-router';
import { useEffect, useId } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useFormTexts } from '../texts/forms.ts';
import { createValue, useValue } from '../value.ts';

/** The forms with changes that are not saved, by an id and with their titles. */
const unsaved = createValue<ReadonlyMap<string, string>>(new Map());

/** Has the dashboard ask before it leaves a form with changes. */
export function useUnsaved(isUnsaved: boolean, title: string): void {
  const id = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.set(new Map(unsaved.get()).set(id, title));
    return () => {
      const others = new Map(unsaved.get());
      others.delete(id);
      unsaved.set(others);
    };
  }, [id, isUnsaved, title]);
}

/** Asks before a screen with unsaved changes is left. It belongs into each screen with forms, once. */
export function UnsavedGuard() {
  const t = useFormTexts();
  const titles = [...useValue(unsaved).values()];
  const isUnsaved = titles.length > 0;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  return (
    <Dialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title={t.leaveTitle}
      description={<p>{t.leaveLoss(titles.join(', '))}</p>}
      actions={
        <>
          <Button kind="danger" onClick={() => proceed?.()}>
            {t.leave}
          </Button>
          <Button kind="primary" onClick={() => reset?.()}>
            {t.stay}
          </Button>
        </>
      }
    />
  );
}
