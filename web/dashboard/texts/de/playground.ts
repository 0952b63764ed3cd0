import type { Texts } from '../../language.ts';
import type { en } from '../en/playground.ts';

export const de: Texts<typeof en> = {
  lead: (site) => `${site}: Anfragen und Boosts ausprobieren. Nichts davon zählt in den Zahlen.`,
  query: 'Anfrage',
  question: 'Frage',
  mode: 'Weg',
  modes: { search: 'Suchen', chat: 'Den Chat fragen' },
  search: 'Suchen',
  ask: 'Fragen',
  options: 'Mindestwert und Filter',
  minScore: 'Mindestwert',
  minScoreHint: 'Für Besucher gilt 0,3.',
  urlPrefix: 'Adresse beginnt mit',
  anyValue: 'beliebig',
  from: (label) => `${label} von`,
  to: (label) => `${label} bis`,

  results: 'Ergebnisse',
  savedSide: 'Mit den gespeicherten Boosts',
  unsavedSide: 'Mit Ihren Änderungen',
  found: (count, isMore) => `${isMore ? 'Mehr als ' : ''}${count} ${count === 1 ? 'Seite' : 'Seiten'}`,
  nothingAsked: 'Geben Sie eine Anfrage ein, um zu sehen, was Besucher finden.',
  askAgain: 'Drücken Sie „Fragen“, um die Antwort mit diesen Einstellungen zu sehen.',
  nothingFound: 'Nichts gefunden.',
  closest: 'Nichts hier handelt klar davon. Besucher sehen diese als die nächsten Seiten:',
  corrected: (from, to) => `Gesucht wurde „${to}“ statt „${from}“.`,
  phraseDropped: 'Keine Seite enthält die Wortfolge in Anführungszeichen, daher wurde sie nicht beachtet.',
  answer: 'Antwort',
  tokens: (count) => (count === 0 ? 'Aus Seiten zitiert, ohne Modell.' : `${count} Tokens des Modells`),
  score: (score) => `Wert ${score}`,
  whyThisRank: 'Warum dieser Rang?',
  isNew: 'neu',
  up: (count) => `um ${count} nach oben`,
  down: (count) => `um ${count} nach unten`,

  boosts: 'Boosts',
  boostsLead: 'Änderungen zeigen sich sofort neben den gespeicherten. Besucher sehen sie, wenn Sie speichern.',
  changes: 'Speichern ändert',
  change: (before, after) => {
    if (before === undefined) return `neu: × ${after}`;
    return after === undefined ? `entfernt (war × ${before})` : `× ${before} → × ${after}`;
  },
  save: 'Diese Boosts speichern',
};
