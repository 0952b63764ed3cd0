const SHOWN_MONTHS = 13;

/** The current month (UTC) and those before it, newest first: `2026-11`. */
export function lastMonths(now = new Date()): readonly string[] {
  return Array.from({ length: SHOWN_MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

/** The days of a month up to today: `2026-11-01`. */
export function daysOfMonth(month: string, now = new Date()): readonly string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const days = Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  return days.filter((day) => day <= now.toISOString().slice(0, 10));
}
