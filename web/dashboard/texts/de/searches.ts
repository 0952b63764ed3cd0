import type { Texts } from '../../language.ts';
import type { en } from '../en/searches.ts';

const shortDays = new Intl.DateTimeFormat('de-DE', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export const de: Texts<typeof en> = {
  period: 'Zeitraum',
  ranges: { '7d': 'Letzte 7 Tage', '30d': 'Letzte 30 Tage', '90d': 'Letzte 90 Tage' },
  entries: 'Einträge je Liste',
  nothingYet: 'In diesem Zeitraum hat niemand gesucht',
  nothingYetAdvice: 'Zahlen erscheinen hier wenige Sekunden nach einer Suche auf Ihrer Website.',
  none: 'keine',

  searches: 'Suchen',
  nothingFound: 'Nichts gefunden',
  clicks: 'Geöffnete Ergebnisse',
  perSearch: (share) => `${share} der Suchen`,
  meanPosition: 'Mittlere Klickposition',
  firstIsBest: '1 ist das erste Ergebnis',
  questions: 'Fragen an den Chat',
  notAnswered: 'Nicht beantwortet',

  tokens: 'Tokens von Modellen',
  tokensSaved: (count) => `${count} durch wiederverwendete Antworten gespart`,

  day: 'Tag (UTC)',
  shortDay: (date) => shortDays.format(new Date(date)),
  searchesByDay: 'Suchen je Tag',
  positionsByDay: 'Klickpositionen je Tag',
  positionsNote:
    'An welcher Stelle geöffnete Ergebnisse im Mittel waren: je niedriger, desto besser. Tage ohne Klicks haben keinen Wert.',

  query: 'Anfrage',
  topQueries: 'Häufigste Anfragen',
  noQueries: 'Keine Anfragen.',
  nothingFoundNote: 'Die zehn häufigsten Anfragen, für die keine Seite gut genug war.',
  everythingFound: 'Jede Suche hat etwas gefunden.',

  lowScores: 'Niedrige Werte',
  lowScoresLead: (count) =>
    `Die ${count} häufigsten Anfragen, jetzt gesucht: Ein Boost oder eine neue Seite zeigt sich hier sofort. Diese Suchen zählen nicht mit.`,
  scoring: 'Die häufigsten Anfragen werden gesucht…',
  scores: 'Bester Wert häufiger Anfragen',
  scoresNote: '0,3 passt wahrscheinlich, ein genauer Titel ist nahe 1.',
  bestScore: 'Bester Wert',
  between: (from, to) => `${from} bis ${to}`,
  lowest: 'Häufige Anfragen mit einem besten Wert unter 0,5',
  askedBest: (count, title) => `${count}-mal gefragt. Beste Seite: ${title}`,
  askedNone: (count) => `${count}-mal gefragt. Keine Seite hat es.`,
  noLowScores: 'Jede häufige Anfrage findet eine Seite, die klar davon handelt.',

  contentGaps: 'Lücken im Inhalt',
  contentGapsLead:
    'Was gefragt und nicht gefunden wurde, nach Bedeutung gruppiert. Schreiben Sie eine Seite darüber, oder heben Sie eine hervor.',
  kind: 'Art',
  allKinds: 'Alle Arten',
  gapKinds: {
    noResults: 'Nichts gefunden',
    noClick: 'Nichts geöffnet',
    refused: 'Nicht beantwortet',
    agents: 'Agenten scheiterten',
  },
  noGaps: 'Es gibt keine Lücken dieser Art.',
  asked: 'Was gefragt wurde',
  times: 'Anzahl',
  examples: (count) => `${count} weitere mit derselben Bedeutung`,

  badAnswers: 'Schlechte Antworten',
  badAnswersLead: 'Fragen, die die Seiten nicht beantworten, und was Besucher über Antworten gesagt haben.',
  helpful: 'Hilfreiche Antworten',
  unhelpful: 'Nicht hilfreich',
  answersByDay: 'Fragen je Tag',
  refusedQuestions: 'Fragen ohne Antwort',
  question: 'Frage',
  allAnswered: 'Jede Frage hat eine Antwort erhalten.',

  agents: 'KI-Agenten',
  agentsLead: 'Was Programme über MCP getan haben. In den Zahlen oben ist es nicht enthalten.',
  pagesRead: 'Gelesene Teile von Seiten',
  agentQueries: 'Häufigste Anfragen von Agenten',
};
