/**
 * The recurring starts, one for each site. When one is due, the message `{siteId, dueAt}` is sent to the queue
 * `starts`, at least once. Starts missed while nothing ran are sent as one. Methods throw `UnavailableError`
 * (domain/errors.ts).
 */
export interface Timetable {
  /** Creates or replaces the site's recurring start. It is first due one interval from now. */
  set(siteId: string, everySeconds: number): Promise<void>;

  /** Removes the recurring start of a site, if it has one. After the answer at most one more start is sent. */
  remove(siteId: string): Promise<void>;
}
