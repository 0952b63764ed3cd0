import { createValue } from './value.ts';

const NAME = 'site-search.key';

/** Why the sign-in screen is shown, if not because nobody has signed in yet. */
export type SignedOut = { readonly reason?: 'refused' | 'used-link'; readonly message?: string };
export type Session = { readonly key: string } | SignedOut;

const kept = sessionStorage.getItem(NAME);
/** The key of this tab. The browser forgets it with the tab. */
export const session = createValue<Session>(kept === null ? {} : { key: kept });

export function signIn(key: string): void {
  sessionStorage.setItem(NAME, key);
  session.set({ key });
}

export function signOut(why: SignedOut = {}): void {
  sessionStorage.removeItem(NAME);
  session.set(why);
}

/** Takes the one-time token out of the address. Returns it, if there is one. */
export function tokenInAddress(): string | undefined {
  const url = new URL(location.href);
  const token = new URLSearchParams(url.hash.slice(1)).get('token') ?? url.searchParams.get('token');
  if (token === null) return undefined;
  url.hash = '';
  url.searchParams.delete('token');
  history.replaceState(history.state, '', url);
  return token;
}

/** Exchanges a one-time token for the key of this machine. */
export async function signInByToken(token: string): Promise<void> {
  try {
    const response = await fetch('/app/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const body: { readonly apiKey?: unknown; readonly error?: unknown } = await response.json();
    if (typeof body.apiKey === 'string') return signIn(body.apiKey);
    // A link that was opened a second time leaves a tab that is signed in as it is.
    if ('key' in session.get()) return;
    signOut({ reason: 'used-link', ...(typeof body.error === 'string' && { message: body.error }) });
  } catch {
    if (!('key' in session.get())) signOut({ reason: 'used-link' });
  }
}
