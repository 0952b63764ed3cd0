import { type GivenSearch, textIn } from '../../address.ts';

export type OrganisationAddress = { readonly month?: string };

/** `month` is YYYY-MM (UTC); without it, it is the current one. */
export function parseOrganisation(given: GivenSearch): OrganisationAddress {
  const month = textIn(given, 'month');
  return month !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? { month } : {};
}
