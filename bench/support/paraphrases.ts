import type { SearchResult } from '../../lambdas/domain/search/results/search-results.ts';
import { plainText } from '../../lambdas/text/page-content.ts';
import { queryTerms } from '../../lambdas/text/words/query-terms.ts';
import { termsByPosition } from '../../lambdas/text/words/terms.ts';
import type { Figures } from './figures.ts';
import type { ManualQuery } from './manual-queries.ts';
import type { Collection } from './relevance-collections.ts';
import type { IndexedSite } from './relevance-search.ts';

/*
 * Questions in other words than those of their pages: a word that both share is on at least one page in 25. The formula
 * may be tuned on those of the PostgreSQL manual, and is judged by those of the SQLite and Git manuals.
 */

/** The share of pages below which a word is rare. */
const RARE_SHARE = 0.04;
const USUAL_SCORE = 0.3;

export const POSTGRESQL_PARAPHRASES: readonly ManualQuery[] = [
  ['stop two people from editing the same row', 'explicit-locking', 'mvcc', 'applevel-consistency', 'transaction-iso'],
  ['get back the disk that erased rows still take up', 'routine-vacuuming', 'sql-vacuum', 'app-vacuumdb'],
  ['let a colleague look at a table', 'sql-grant', 'ddl-priv', 'user-manag', 'predefined-roles'],
  ['return to how it was when one of several steps fails', 'sql-rollback', 'tutorial-transactions', 'sql-savepoint'],
  ['a second machine that takes over when the first one dies', 'warm-standby', 'high-availability', 'hot-standby'],
  ['save all of it to a file each night', 'app-pgdump', 'backup', 'app-pg-dumpall'],
  ['find out why my select is so slow', 'using-explain', 'sql-explain', 'performance-tips', 'auto-explain'],
  ['make lookups on one field faster', 'sql-createindex', 'indexes'],
  ['keep the outcome of a heavy select for later', 'sql-creatematerializedview', 'rules-materializedviews'],
  ['call my own code whenever somebody changes a row', 'sql-createtrigger', 'trigger', 'plpgsql-trigger'],
  ['show each customer only their own lines', 'ddl-rowsecurity', 'sql-createpolicy'],
  ['one huge table should become many smaller ones', 'ddl-partitioning'],
  [
    'numbers that go up by themselves for each new entry',
    'sql-createsequence',
    'functions-sequence',
    'datatype-numeric',
  ],
  ['who is working on the server right now', 'monitoring-stats'],
  ['nobody on the network should be able to read along', 'ssl-tcp', 'libpq-ssl', 'ssh-tunnels', 'encryption-options'],
  ['bring in rows that I have in Excel', 'sql-copy', 'populate', 'file-fdw'],
  ['move to the next major release', 'upgrading', 'pgupgrade'],
  ['walk through a family tree in one statement', 'queries-with'],
  ['people whose names are pronounced alike', 'fuzzystrmatch'],
  ['capitals should not matter in a comparison', 'citext', 'collation'],
  ['use a table that is on another machine', 'postgres-fdw', 'dblink', 'ddl-foreign-data', 'sql-createforeigntable'],
  ['how far is it from one city to another', 'earthdistance'],
  ['tell another program that something has happened', 'sql-notify', 'sql-listen', 'libpq-notify'],
  ['refuse an amount below zero', 'ddl-constraints'],
  ['see the data as it was yesterday', 'continuous-archiving', 'runtime-config-wal', 'backup'],
  ['write the entry, or change it if it is already there', 'sql-insert', 'sql-merge'],
  [
    'get a long result a few rows at a time',
    'sql-declare',
    'sql-fetch',
    'plpgsql-cursors',
    'queries-limit',
    'libpq-single',
  ],
  ['I cannot log in, it says I am not allowed to', 'client-authentication', 'auth-pg-hba-conf'],
  ['keep photos in a column', 'datatype-binary', 'largeobjects', 'lo'],
  [
    'pick any hundred rows, not always the same',
    'tsm-system-rows',
    'tsm-system-time',
    'tablesample-method',
    'sql-select',
  ],
];

export const SQLITE_PARAPHRASES: readonly ManualQuery[] = [
  ['two programs that write at once', 'lockingv3', 'isolation', 'wal', 'faq', 'sharedcache', 'unlock_notify'],
  ['make the file smaller after much was removed', 'lang_vacuum', 'pragma'],
  ['the lights go out while it writes', 'atomiccommit', 'transactional', 'psow', 'howtocorrupt'],
  ['keep all of it in RAM', 'inmemorydb'],
  ['a safe copy while others go on working', 'backup', 'lang_vacuum', 'rbu'],
  ['give each new entry the next number', 'autoinc'],
  ['what sorts of values may a cell hold', 'datatype3'],
  ['refuse words where a number belongs', 'stricttables', 'datatype3', 'flextypegood'],
  ['a lookup structure for some of the rows', 'partialindex'],
  ['a field that follows from the other ones', 'gencol'],
  ['running total over the lines before', 'windowfunctions'],
  ['which texts mention a word', 'fts5', 'fts3'],
  ['put it in, or change it if it is there already', 'lang_upsert', 'lang_replace', 'lang_conflict'],
  ['all parents and their parents', 'lang_with'],
  ['work with two files in one statement', 'lang_attach'],
  ['take back a part of the work only', 'lang_savepoint'],
  ['do something of my own when a row changes', 'lang_createtrigger', 'hook', 'c3ref/update_hook'],
  ['type queries in a terminal', 'cli', 'quickstart'],
  ['may I use it in what I make for money', 'copyright'],
  ['photos: each in its own file, or all in one', 'intern-v-extern-blob', 'fasterthanfs'],
  ['when should I pick something else', 'whentouse'],
  ['how it finds the rows of my select', 'eqp', 'lang_explain', 'queryplanner', 'optoverview'],
  ['is it safe to call from several workers', 'threadsafe'],
  ['lists from a spreadsheet', 'csv'],
  ['shops near me on a map', 'rtree', 'geopoly'],
  ['how big can it get', 'limits'],
  ['call my own code from a select', 'appfunc', 'c3ref/create_function'],
  ['carry what was changed to another machine', 'sessionintro', 'session/', 'rbu', 'sqldiff'],
  ['did you mean another word', 'spellfix1'],
  ['my file is no good, what can be saved', 'recovery', 'howtocorrupt'],
];

export const GIT_PARAPHRASES: readonly ManualQuery[] = [
  ['put my half-done work away for a while', 'git-stash'],
  ['find the one edit that made it go wrong', 'git-bisect'],
  ['who wrote this line', 'git-blame', 'git-annotate'],
  ['take only a single change from somewhere else', 'git-cherry-pick'],
  ['undo something that others already have', 'git-revert', 'revert-a-faulty-merge'],
  ['get rid of leftovers that were never added', 'git-clean'],
  ['do not include these files', 'gitignore'],
  ['make many small steps into one before sharing', 'git-rebase'],
  ['two people edited the same place', 'git-merge', 'git-mergetool', 'git-rerere'],
  ['get the newest work of my colleagues', 'git-pull', 'git-fetch'],
  ['give my work to all the others', 'git-push'],
  ['call a version 1.0', 'git-tag'],
  ['start from nothing in an empty folder', 'git-init', 'gittutorial'],
  ['get my own copy of a project', 'git-clone'],
  ['what did I change since the last time', 'git-diff', 'git-status'],
  ['work on two things at once in different folders', 'git-worktree'],
  ['a project inside another project', 'git-submodule', 'gitsubmodules'],
  ['send my changes by mail', 'git-send-email', 'git-format-patch'],
  ['I lost work, is it still somewhere', 'git-reflog', 'git-fsck'],
  ['search all files for a word', 'git-grep'],
  ['give a file another name', 'git-mv'],
  ['run my script each time someone saves a change', 'githooks'],
  ['do not ask for my password again and again', 'git-credential', 'gitcredentials'],
  ['make everything take less space', 'git-gc', 'git-repack', 'git-prune', 'git-maintenance'],
  ['erase a secret from all of the past', 'git-filter-branch'],
  ['show pages in a browser', 'gitweb', 'git-instaweb'],
  ['download only some of the folders', 'git-sparse-checkout', 'partial-clone'],
  ['one file of a version to give to users', 'git-archive'],
  ['move to a different line of work', 'git-switch', 'git-checkout'],
  ['my name is written in two ways', 'gitmailmap', 'git-check-mailmap', 'git-shortlog'],
];

/** Returns the pages that a search box shows: results, or those that come closest. */
async function shownPages(text: string, { ask }: IndexedSite): Promise<readonly SearchResult[]> {
  const { results, closest = [] } = await ask({ query: text });
  return results.length > 0 ? results : closest;
}

/**
 * Counts how often the page is among the first results, and how many of the questions share a rare word with their
 * page.
 */
export async function paraphrased(
  name: string,
  queries: readonly ManualQuery[],
  { pages }: Pick<Collection, 'pages'>,
  site: IndexedSite,
): Promise<Figures> {
  const sums = { 'first 3': 0, 'first 10': 0, 'first 3, found at 0.3': 0, 'first 3, or closest': 0 };
  const isAnswer = (url: string, answers: readonly string[]) =>
    answers.some((answer) => url.toLowerCase().includes(`/${answer}`));
  for (const [text, ...answers] of queries) {
    const results = await site.search(text, 'both');
    const shown = await shownPages(text, site);
    if (shown.slice(0, 3).some(({ url }) => isAnswer(url, answers))) sums['first 3, or closest']++;
    const at = results.findIndex(({ url }) => isAnswer(url, answers));
    if (at >= 0) sums['first 10']++;
    if (at < 0 || at > 2) continue;
    sums['first 3']++;
    if ((results[at]?.score ?? 0) >= USUAL_SCORE) sums['first 3, found at 0.3']++;
  }
  const words = pages.map(({ url, content }) => ({
    url,
    terms: new Set(termsByPosition(`${content.title}\n${plainText(content)}`, content.language ?? 'en').flat()),
  }));
  const sharing = queries.filter(([text, ...answers]) =>
    queryTerms(text, ['en']).some(({ forms, question }) => {
      const having = words.filter(({ terms }) => forms.some((form) => terms.has(form)));
      const isRare = having.length < RARE_SHARE * pages.length;
      return !question && isRare && having.some(({ url }) => isAnswer(url, answers));
    }),
  );
  return { [name]: { count: queries.length, ...sums, 'share a rare word': sharing.length } };
}
