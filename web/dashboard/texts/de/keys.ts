import type { Texts } from '../../language.ts';
import type { en } from '../en/keys.ts';

export const de: Texts<typeof en> = {
  lead: 'API-Schlüssel der Organisation',
  whereKeysBelong:
    'Ein Schlüssel gehört auf einen Server oder in dieses Dashboard, nie in eine Webseite: Suchfelder brauchen keinen.',
  create: 'Schlüssel anlegen',
  caption: 'API-Schlüssel, neueste zuerst',
  name: 'Name',
  nameHint: 'Wer oder was den Schlüssel nutzt.',
  ends: 'Endet mit',
  role: 'Rolle',
  roleHints: {
    member: 'Darf Websites anlegen, ändern, crawlen und füllen, und alles sehen.',
    admin: 'Darf auch über Prüfungen entscheiden und Webhooks und Schlüssel verwalten.',
    owner: 'Darf auch Websites löschen.',
  },
  state: 'Zustand',
  states: { active: 'gültig', expired: 'abgelaufen', revoked: 'widerrufen' },
  created: 'Angelegt',
  lastUsed: 'Zuletzt benutzt',
  expires: 'Läuft ab',
  lifetimes: [
    { value: '30', label: 'in 30 Tagen' },
    { value: '90', label: 'in 90 Tagen' },
    { value: '365', label: 'in einem Jahr' },
    { value: 'date', label: 'an einem Tag Ihrer Wahl' },
    { value: 'forever', label: 'nie' },
  ],
  lastDay: 'Letzter Tag',
  chooseDay: 'Wählen Sie einen Tag.',
  never: 'nie',
  actions: 'Aktionen',
  ownKey: (name) => `${name} (damit sind Sie angemeldet)`,
  revoke: 'Widerrufen',
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeLoss: (hint) =>
    `Der Schlüssel, der mit ${hint} endet, gilt binnen 30 Sekunden für immer nicht mehr. Programme, die ihn nutzen, erhalten den Fehler 401.`,
  wasUsed: 'Zuletzt benutzt:',
  neverUsed: 'Er wurde nie benutzt.',
  revokeOwn: 'Sie sind mit diesem Schlüssel angemeldet. Sie werden abgemeldet.',
  revoked: (name) => `${name} ist widerrufen.`,
  createdTitle: (name) => `Der Schlüssel ${name} ist angelegt`,
  shownOnce: 'Der Schlüssel wird nur dieses eine Mal gezeigt. Kopieren Sie ihn jetzt.',
  secret: 'API-Schlüssel',
  kept: 'Ich habe ihn kopiert',
};
