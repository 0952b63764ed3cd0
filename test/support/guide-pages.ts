/** A small guide, for questions that it answers or does not. */
export const GUIDE_PAGES: readonly object[] = [
  {
    url: '/linux',
    title: 'Install on Linux',
    contentType: 'text',
    tags: ['install'],
    content:
      'Install the client on Linux with apt. Run apt install lantern as root. The client needs 200 MB of disk space.',
  },
  {
    url: '/windows',
    title: 'Install on Windows',
    contentType: 'text',
    tags: ['install'],
    content:
      'Install the client on Windows with the installer. Download the installer and open it. Windows 10 or later is ' +
      'required.',
  },
  {
    url: '/prices',
    title: 'Prices',
    contentType: 'text',
    tags: ['money'],
    content:
      'The basic plan costs 12 euros a month. The team plan costs 40 euros a month for ten people. Prices do not ' +
      'include taxes.',
  },
  {
    url: '/refunds',
    title: 'Refunds',
    contentType: 'text',
    tags: ['money'],
    content: 'Refunds are paid within 14 days. Write to the office and name your invoice.',
  },
];
