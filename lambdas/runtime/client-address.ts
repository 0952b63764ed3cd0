import { type ApiEvent, fromEdge } from './api-event.ts';

/** The address that a call comes from. No other header, such as `X-Forwarded-For`, is believed. */
export const clientAddress = (event: ApiEvent): string =>
  fromEdge(event, 'x-client-ip') || event.requestContext.identity?.sourceIp || '';
