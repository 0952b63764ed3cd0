import { FreshConnectionHandler } from './fresh-connection-handler.ts';

/**
 * The settings of every AWS SDK client. The SDK's own retries are off: `retryingClient` retries within its time
 * limit.
 */
export const clientSettings = (url: string | undefined) => ({
  maxAttempts: 1,
  requestHandler: new FreshConnectionHandler(),
  ...(url !== undefined && { endpoint: url }),
});
