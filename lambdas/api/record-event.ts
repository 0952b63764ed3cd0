import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { logVisitorEvent } from '../runtime/event-logging.ts';

export const handler = endpoint(search['record-event'], async ({ site, body }) => {
  logVisitorEvent(site.settings, body);
  return { success: true };
});
