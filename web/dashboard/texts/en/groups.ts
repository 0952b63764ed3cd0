const SHOWN = 5;

export const en = {
  lead: 'Sites that are searched together, in one ranking',
  create: 'Create group',
  none: 'There is no group yet.',
  caption: 'Groups',
  name: 'Name',
  description: 'Description (optional)',
  sites: 'Sites',
  listOf: (names: readonly string[]) =>
    names.length > SHOWN ? `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more` : names.join(', '),
  sitesOf: (count: number) => `Sites (${count} chosen)`,
  filterSites: 'Filter by name',
  moreSites: (count: number) => `${count} more: filter by name.`,
  access: 'Public access',
  accessLead: 'A group has its own. That of its sites does not count here.',
  isOpen: 'open',
  isClosed: 'closed',
  agents: 'Agents',
  limits: 'Limits of visitors',
  group: 'Group',
  allGroups: 'All groups',
  general: 'General',
  embed: 'Embed',
  embedLead: 'The line of HTML for a search button; the attributes are those of a site.',
  embedCode: 'HTML of the search button',
  deleteGroup: 'Delete group',
  deleteLead: 'The sites stay as they are.',
  deleteTitle: (name: string) => `Delete the group ${name}?`,
  deleteLoss: (sites: number) =>
    `The group of ${sites} ${sites === 1 ? 'site' : 'sites'} is deleted, and search boxes that use it stop working. The sites with their pages stay.`,
  deleted: (name: string) => `${name} is deleted.`,
};
