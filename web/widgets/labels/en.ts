/**
 * The texts of the widgets. The attribute `labels`, JSON with some of these names, replaces texts. `{query}` and other
 * names in braces are filled in; a replaced text may leave them out.
 */
export const labels = {
  search: 'Search',
  placeholder: 'Search',
  close: 'Close',
  clear: 'Clear',
  empty: 'What are you looking for?',
  emptyHint: 'Type a word, a name or a question.',
  results: 'Results',
  suggestions: 'Suggestions',
  countOne: '{count} result',
  countOther: '{count} results',
  countMore: 'More than {count} results',
  none: 'No results for {query}',
  noneHint: 'Check the spelling, or try other or fewer words.',
  closest: 'Nothing here is clearly about that. Closest:',
  corrected: 'Showing results for {query}.',
  exact: 'Search for {query} instead',
  phraseDropped: 'No page has the words in quotes together, so these are pages without them.',
  more: 'Show more results',
  all: 'All results',
  ask: 'Ask: {query}',
  searching: 'Searching …',
  failed: 'The search did not work.',
  offline: 'You are offline. The search goes on when you are connected again.',
  unreachable: 'The search service does not answer. Check the connection.',
  wait: 'There were too many searches. The next one starts in {seconds} s.',
  retry: 'Try again',
  filters: 'Filters',
  filtersChosen: 'Filters ({count})',
  remove: 'Remove {value}',
  removeAll: 'Remove all filters',
  showAll: 'Show all {count}',
  from: 'From',
  to: 'To',
  keyMove: 'move',
  keyOpen: 'open',
  keyClose: 'close',
};

export type Labels = { readonly [Name in keyof typeof labels]: string };
