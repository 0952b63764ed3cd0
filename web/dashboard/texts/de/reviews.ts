import type { Texts } from '../../language.ts';
import type { en } from '../en/reviews.ts';

export const de: Texts<typeof en> = {
  title: 'Prüfungen',
  lead: 'Entfernungen, die auf Ihre Entscheidung warten.',
  explain:
    'Stellt ein Crawl fest, dass ein großer Teil der Seiten verschwunden ist, entfernt er sie nicht, sondern fragt Sie. Bis dahin bleiben die Seiten auffindbar.',
  empty: 'Keine Entfernung wartet, und keine hat je gewartet.',
  emptyText: 'Eine Prüfung erscheint hier, wenn ein Crawl viele Seiten nicht mehr findet.',
  found: 'Festgestellt',
  state: 'Zustand',
  pages: 'Seiten',
  share: 'Anteil der Website',
  decided: 'Entschieden',
  result: 'Ergebnis',
  open: 'Öffnen',
  status: {
    pending: 'Wartet auf Sie',
    approved: 'Genehmigt',
    rejected: 'Abgelehnt',
    superseded: 'Hinfällig: ein späterer Crawl oder eine Leerung hat sie ersetzt',
  },
  sweepRunning: 'Die Seiten werden noch einmal abgerufen…',
  sweepDone: (deleted, kept) => `${deleted} gelöscht, ${kept} behalten`,
  sweepFailed: (deleted) => `Die Entfernung schlug nach ${deleted} Seiten fehl. Ein späterer Crawl findet den Rest.`,

  reviewTitle: (count) => `${count} Seiten entfernen?`,
  closedTitle: (count) => `Entfernung von ${count} Seiten`,
  whatApprove:
    'Genehmigen ruft jede Seite noch einmal ab und löscht, was noch immer fehlt. Seiten, die wieder da sind, bleiben.',
  whatReject: 'Ablehnen behält alle im Index. Ein späterer Crawl fragt vielleicht wieder.',
  approve: 'Genehmigen',
  reject: 'Ablehnen',
  approveQuestion: 'Diese Entfernung genehmigen?',
  approveLoss: (count) =>
    `Bis zu ${count} Seiten werden aus dem Index gelöscht: jede wird noch einmal abgerufen und gelöscht, wenn sie noch immer fehlt. Das lässt sich nicht rückgängig machen, aber ein Crawl findet Seiten, die zurückkommen.`,
  rejectQuestion: 'Diese Entfernung ablehnen?',
  rejectLoss: (count) => `Nichts wird gelöscht: die ${count} Seiten bleiben auffindbar.`,
  approved: 'Die Entfernung ist genehmigt.',
  rejected: 'Die Entfernung ist abgelehnt.',
  crawlOfReview: 'Der Crawl, der ihr Fehlen feststellte',
  ofShare: (share) => `${share} der gecrawlten Seiten`,
  urlsTitle: 'Was verschwände',
  urlsGone: 'Seiten dieser Prüfung',
  urlsUnavailable:
    'Die Liste dieser Seiten ist nicht mehr lesbar, daher können sie nicht entfernt werden. Lehnen Sie ab und crawlen Sie erneut.',
  url: 'URL',
  reason: 'Grund',
  filter: 'URL enthält',
  noMatch: 'Keine URL passt.',
  changed: 'Jemand anderes hat diese Prüfung inzwischen entschieden.',
};
