import type { Texts } from '../../language.ts';
import type { en } from '../en/embed.ts';

export const de: Texts<typeof en> = {
  lead: (site) => `Bringen Sie die Suche von ${site} auf Ihre Website: wählen, ausprobieren, kopieren.`,
  widgets: 'Widgets',
  names: { button: 'Knopf', modal: 'Fenster', box: 'Feld', page: 'Seite', chat: 'Chat' },
  descriptions: {
    button: 'Ein Knopf, der die Suche in einem Fenster öffnet, auch durch Tasten.',
    modal: 'Nur das Fenster, das ein eigener Knopf öffnet.',
    box: 'Ein Suchfeld mit Ergebnissen darunter.',
    page: 'Eine Seite mit Ergebnissen, Facetten und Blättern.',
    chat: 'Antworten mit Quellen, als Bereich oder Sprechblase.',
  },
  options: 'Attribute',
  attributes: {
    theme: { label: 'Farben', hint: undefined },
    lang: { label: 'Sprache', hint: undefined },
    answers: { label: 'Antworten', hint: 'Eine Antwort über den Ergebnissen.' },
    mode: { label: 'Form', hint: undefined },
    placeholder: { label: 'Platzhalter', hint: undefined },
    shortcut: { label: 'Tasten', hint: 'Vorgabe: mod+k /' },
    facets: { label: 'Facetten', hint: 'Felder, mit Komma: tags,language' },
    filters: { label: 'Filter', hint: 'JSON: {"language":"en"}' },
  },
  defaults: { theme: 'wie die Seite', lang: 'wie die Seite', answers: 'Vorgabe', mode: 'Bereich' },
  values: {
    theme: { light: 'hell', dark: 'dunkel' },
    lang: {
      en: 'Englisch',
      de: 'Deutsch',
      fr: 'Französisch',
      es: 'Spanisch',
      nl: 'Niederländisch',
      pt: 'Portugiesisch',
      it: 'Italienisch',
      ja: 'Japanisch',
    },
    answers: { off: 'nie', ask: 'auf Wunsch', auto: 'immer' },
    mode: { bubble: 'Sprechblase' },
  },
  live: 'Vorschau',
  liveLead: 'Wie Besucher es sehen. Was Sie hier suchen, zählt in den Zahlen.',
  openModal: 'Suche öffnen',
  code: 'HTML',
  codeLead: 'Kopieren Sie es in Ihre Webseite, wo die Suche erscheinen soll.',
  codeName: (widget) => `HTML für ${widget}`,

  websiteMissing: (host) => `${host} darf noch nicht suchen: Widgets dort würden abgewiesen.`,
  previewMissing: (host) =>
    `Auf Ihrer Website arbeiten die Widgets. Diese Vorschau ist unter ${host}, das nicht suchen darf.`,
  isOff: 'Der öffentliche Zugang ist aus: Besucher können nicht suchen.',
  allow: (host) => `${host} erlauben`,
  switchOn: 'Öffentlichen Zugang einschalten',

  agents: 'KI-Agenten (MCP)',
  agentsOn: 'Agenten dürfen die Website unter dieser Adresse durchsuchen.',
  agentsOff: 'Agenten dürfen diese Adresse noch nicht nutzen.',
  letAgentsIn: 'Agenten einlassen',
  mcpAddress: 'MCP-Adresse',
  mcpLine: 'Befehl für Claude Code',
};
