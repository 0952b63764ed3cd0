import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { useShellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Fault } from './fault.tsx';
import { TextField } from './field.tsx';

type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** The buttons at the bottom, the last one first in weight. */
  readonly actions?: ReactNode;
};

/** A window above the screen. The keyboard stays in it, Escape closes it, and the focus returns. */
export function Dialog({ isOpen, onClose, title, description, children, actions }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup className={styles.popup}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {description !== undefined && (
              <Base.Description className={styles.description} render={<div />}>
                {description}
              </Base.Description>
            )}
            {children}
            {actions !== undefined && <div className={styles.actions}>{actions}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

type ConfirmProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will be deleted, and how many. */
  readonly loss: ReactNode;
  /** A name that must be typed first, where much is lost. */
  readonly typed?: string;
  /** The name of the act: it is the text of the button. */
  readonly act: string;
  /** The text of the other button. @default Cancel */
  readonly keep?: string;
  /** Does it. If it throws, the dialog stays and says why. */
  readonly onConfirm: () => Promise<unknown>;
};

/** Asks before something is destroyed. */
export function ConfirmDialog({ isOpen, onClose, title, loss, typed, act, keep, onConfirm }: ConfirmProps) {
  const t = useShellTexts();
  const [text, setText] = useState('');
  const [state, setState] = useState<{ readonly isBusy?: true; readonly error?: unknown }>({});
  const isReady = typed === undefined || text.trim() === typed;
  const close = () => {
    setText('');
    setState({});
    onClose();
  };
  const confirm = async () => {
    if (!isReady) return;
    setState({ isBusy: true });
    try {
      await onConfirm();
      close();
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      description={loss}
      actions={
        <>
          <Button onClick={close}>{keep ?? t.cancel}</Button>
          <Button kind="danger" disabled={!isReady} isBusy={state.isBusy} onClick={() => void confirm()}>
            {act}
          </Button>
        </>
      }
    >
      {typed !== undefined && (
        <TextField label={t.typeToConfirm(typed)} value={text} onChange={setText} autoComplete="off" />
      )}
      {state.error !== undefined && <Fault error={state.error} title={t.requestFailed} />}
    </Dialog>
  );
}
