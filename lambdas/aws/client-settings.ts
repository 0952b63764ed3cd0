import { defined } from '../text/defined.ts';
import { FreshConnectionHandler } from './fresh-connection-handler.ts';

/** Returns the settings of every AWS client. The SDK must not retry: `retryingClient` does, within its time limit. */
export const clientSettings = (url: string | undefined) => ({
  maxAttempts: 1,
  requestHandler: new FreshConnectionHandler(),
  ...defined({ endpoint: url }),
});
