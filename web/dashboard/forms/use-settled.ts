import { useEffect, useState } from 'react';

const SETTLED_MS = 400;

/** A value as it is when it has not changed for a moment: for calls while somebody types. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
