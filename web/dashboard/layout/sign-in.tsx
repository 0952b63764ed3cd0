import { type FormEvent, useEffect, useState } from 'react';
import { queryClient } from '../api.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { type SignedOut, session, signIn } from '../session.ts';
import { useShellTexts } from '../texts/shell.ts';
import { useValue } from '../value.ts';
import { DisplayChoices } from './account-menu.tsx';
import styles from './sign-in.module.css';

/** Asks for an API key. */
export function SignIn() {
  const t = useShellTexts();
  const state = useValue(session);
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  useEffect(() => {
    document.title = `${t.signIn} · ${t.product}`;
  }, [t]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = key.trim();
    if (given === '') return setError(t.apiKeyMissing);
    queryClient.clear();
    signIn(given);
  };
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>{t.product}</h1>
        <p className={styles.lead}>{t.signInLead}</p>
        {!('key' in state) && <Reason {...state} />}
        <form className={styles.form} onSubmit={submit} noValidate>
          <TextField
            label={t.apiKey}
            hint={t.apiKeyHint}
            error={error}
            type="password"
            name="api-key"
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={(value) => {
              setKey(value);
              setError(undefined);
            }}
          />
          <Button type="submit" kind="primary">
            {t.signIn}
          </Button>
        </form>
        <div className={styles.display}>
          <DisplayChoices />
        </div>
      </div>
    </main>
  );
}

function Reason({ reason, message }: SignedOut) {
  const t = useShellTexts();
  if (reason === undefined) return null;
  const title = reason === 'refused' ? t.refusedKey : t.usedLink;
  return (
    <div className={styles.reason} role="alert">
      <Notice tone="warn" title={title}>
        <p>{reason === 'refused' ? message : t.usedLinkAdvice}</p>
      </Notice>
    </div>
  );
}
