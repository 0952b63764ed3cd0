import { useEffect, useReducer } from 'react';
import { useFormats } from '../formats.ts';

const REFRESH_MS = 20_000;

/** How long ago or until when, with the time in full on hover. `seconds` is a time of the API. */
export function Time({ seconds }: { readonly seconds: number }) {
  const { relative, time } = useFormats();
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(1000 * seconds).toISOString()} title={time(seconds)}>
      {relative(seconds)}
    </time>
  );
}
