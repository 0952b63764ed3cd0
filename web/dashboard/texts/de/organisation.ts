import type { Texts } from '../../language.ts';
import type { en } from '../en/organisation.ts';

const months = new Intl.DateTimeFormat('de-DE', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dollars = new Intl.NumberFormat('de-DE', {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 4,
});

export const de: Texts<typeof en> = {
  plan: 'Tarif und Kontingente',
  planName: 'Tarif',
  role: 'Ihre Rolle',
  roleNote: 'die Ihres Schlüssels',
  sites: 'Websites',
  groups: 'Gruppen',
  largestSite: 'Seiten der größten Website',
  tokensThisMonth: 'Tokens von Modellen in diesem Monat',
  usedOf: (used, quota) => `${used} von ${quota}`,
  notIncluded: 'nicht im Tarif enthalten',
  nearlyUsed: 'Fast aufgebraucht',
  usedUp: 'Aufgebraucht',
  usage: 'Nutzung',
  usageLead: 'Monate und Tage sind in UTC.',
  month: 'Monat',
  monthName: (month) => months.format(new Date(`${month}-01T00:00:00Z`)),
  cost: 'Kosten',
  costNote: 'geschätzt, ohne Modelle mit unbekanntem Preis',
  dollars: (value) => dollars.format(value),
  tokens: 'Tokens',
  tokensNote: (saved) => `${saved} durch wiederverwendete Antworten gespart`,
  requests: 'Aufrufe von Modellen',
  searches: 'Suchen',
  questions: 'Fragen an den Chat',
  indexedPages: 'Indexierte Seiten jetzt',
  inSites: (count) => `in ${count} ${count === 1 ? 'Website' : 'Websites'}`,
  noCalls: 'In diesem Monat wurde kein Modell aufgerufen.',
  day: 'Tag',
  costByDay: 'Kosten je Tag',
  tokensByDay: 'Tokens je Tag',
  byModel: 'Nutzung nach Modell',
  model: 'Modell',
  inputTokens: 'Gelesene Tokens',
  outputTokens: 'Geschriebene Tokens',
  unknownPrice: 'unbekannt',
};
