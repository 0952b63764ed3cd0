import styles from './code.module.css';
import { CopyButton } from './copy-button.tsx';

type CodeProps = {
  readonly text: string;
  /** What the code is, for the button that copies it. */
  readonly of: string;
};

/** Lines of code with a button that copies them. Long lines break, so that there is nothing to scroll. */
export function Code({ text, of }: CodeProps) {
  return (
    <div className={styles.code}>
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} of={of} />
    </div>
  );
}
