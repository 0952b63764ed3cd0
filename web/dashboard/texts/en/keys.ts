import type { Choice } from '../../components/field.tsx';

const lifetimes: readonly Choice<'30' | '90' | '365' | 'forever' | 'date'>[] = [
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'date', label: 'on a day of your choice' },
  { value: 'forever', label: 'never' },
];

export const en = {
  lead: 'API keys of the organisation',
  whereKeysBelong: 'A key belongs on a server or in this dashboard, never in a web page: search boxes need none.',
  create: 'Create key',
  caption: 'API keys, newest first',
  name: 'Name',
  nameHint: 'Who or what uses the key.',
  ends: 'Ends with',
  role: 'Role',
  roleHints: {
    member: 'May create, change, crawl and fill sites, and see everything.',
    admin: 'May also decide about reviews, and manage webhooks and keys.',
    owner: 'May also delete sites.',
  },
  state: 'State',
  states: { active: 'works', expired: 'expired', revoked: 'revoked' },
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  lifetimes,
  lastDay: 'Last day',
  chooseDay: 'Choose a day.',
  never: 'never',
  actions: 'Actions',
  ownKey: (name: string) => `${name} (you are signed in with it)`,
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeLoss: (hint: string) =>
    `The key that ends with ${hint} stops working within 30 seconds, for good. Programs that use it get the error 401.`,
  wasUsed: 'It was last used',
  neverUsed: 'It was never used.',
  revokeOwn: 'You are signed in with this key. You will be signed out.',
  revoked: (name: string) => `${name} is revoked.`,
  createdTitle: (name: string) => `The key ${name} is there`,
  shownOnce: 'This is the only time that the key is shown. Copy it now.',
  secret: 'API key',
  kept: 'I have copied it',
};
