const DATE = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?/;

/** The ISO 8601 form of a PDF's date (ISO 32000-1, 7.9.4); undefined for one that no calendar has. */
export function pdfDate(text: string): string | undefined {
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', zone, zoneMinutes = '00'] =
    DATE.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const offset = zone === undefined || zone === 'Z' ? 'Z' : `${zone}:${zoneMinutes}`;
  const whole = hour === undefined ? date : `${date}T${hour}:${minute}:${second}${offset}`;
  const time = Date.parse(whole);
  return Number.isNaN(time) || Number(year) < 1980 ? undefined : whole;
}
