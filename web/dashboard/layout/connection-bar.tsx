import { useEffect, useReducer, useRef } from 'react';
import { say } from '../components/toasts.tsx';
import { connection } from '../connection.ts';
import { useShellTexts } from '../texts/shell.ts';
import { useValue } from '../value.ts';
import styles from './connection-bar.module.css';

/** Says that the service does not answer, or refuses calls for a while. */
export function ConnectionBar() {
  const t = useShellTexts();
  const state = useValue(connection);
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (state.is !== 'limited') return;
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [state]);
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && state.is === 'good') say(t.restored);
    wasLost.current = state.is === 'lost';
  }, [state, t]);
  const text = state.is === 'lost' ? t.lost : state.is === 'limited' ? t.limited(secondsUntil(state.until)) : '';
  return (
    <div className={text === '' ? undefined : styles.bar} role="status">
      {text}
    </div>
  );
}

const secondsUntil = (time: number): number => Math.max(1, Math.ceil((time - Date.now()) / 1000));
