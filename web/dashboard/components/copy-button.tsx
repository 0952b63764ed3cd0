import { useEffect, useState } from 'react';
import { useShellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { say } from './toasts.tsx';

const SHOWN_MS = 2000;

/** Copies a text to the clipboard. `of` says what, for those who hear the button alone. */
export function CopyButton({ text, of }: { readonly text: string; readonly of: string }) {
  const t = useShellTexts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    say(t.copied);
  };
  return (
    <Button onClick={() => void copy()} aria-label={`${t.copy}: ${of}`}>
      {isCopied ? t.copied : t.copy}
    </Button>
  );
}
