const MOST = '1000000';

/** Rate limits that no test or benchmark reaches: they make more calls from one address than people do. */
export const GENEROUS_LIMITS = {
  SEARCH_PER_MINUTE_PER_IP: MOST,
  CHAT_PER_MINUTE_PER_IP: MOST,
  API_PER_MINUTE: MOST,
  INGEST_PER_MINUTE: MOST,
} as const;
