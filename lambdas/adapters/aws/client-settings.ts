import { WakingHandler } from './fresh-connection-handler.ts';

/** What a client of an AWS service is made with. It repeats nothing by itself: `asker` does, within its limit. */
export const clientSettings = (url: string | undefined) => ({
  maxAttempts: 1,
  requestHandler: new WakingHandler(),
  ...(url !== undefined && { endpoint: url }),
});
