import type { Texts } from '../../language.ts';
import type { en } from '../en/groups.ts';

const SHOWN = 5;

export const de: Texts<typeof en> = {
  lead: 'Websites, die zusammen durchsucht werden, in einer Rangfolge',
  create: 'Gruppe anlegen',
  notInPlan: 'Der Tarif enthält keine Gruppen',
  none: 'Es gibt noch keine Gruppe.',
  caption: 'Gruppen',
  name: 'Name',
  description: 'Beschreibung (optional)',
  sites: 'Websites',
  listOf: (names) =>
    names.length > SHOWN ? `${names.slice(0, SHOWN).join(', ')} und ${names.length - SHOWN} weitere` : names.join(', '),
  sitesOf: (count) => `Websites (${count} gewählt)`,
  filterSites: 'Nach Namen filtern',
  moreSites: (count) => `${count} weitere: nach Namen filtern.`,
  access: 'Öffentlicher Zugang',
  accessLead: 'Eine Gruppe hat ihren eigenen. Der ihrer Websites gilt hier nicht.',
  isOpen: 'offen',
  isClosed: 'geschlossen',
  agents: 'Agenten',
  limits: 'Grenzen für Besucher',
  group: 'Gruppe',
  allGroups: 'Alle Gruppen',
  general: 'Allgemein',
  embed: 'Einbetten',
  embedLead: 'Die Zeile HTML für einen Suchknopf; die Attribute sind die einer Website.',
  embedCode: 'HTML des Suchknopfs',
  deleteGroup: 'Gruppe löschen',
  deleteLead: 'Die Websites bleiben, wie sie sind.',
  deleteTitle: (name) => `Gruppe ${name} löschen?`,
  deleteLoss: (sites) =>
    `Die Gruppe aus ${sites} ${sites === 1 ? 'Website' : 'Websites'} wird gelöscht, und Suchfelder, die sie nutzen, hören auf zu arbeiten. Die Websites mit ihren Seiten bleiben.`,
  deleted: (name) => `${name} ist gelöscht.`,
};
