import type { ManualQuery } from './manual-queries.ts';

/** Queries for four more sites, each list written from the names of the files before anything was measured. */
export const PYTHON: readonly ManualQuery[] = [
  ['read csv file', 'library/csv'],
  ['parse command line arguments', 'library/argparse', 'howto/argparse', 'library/getopt'],
  ['list comprehension', 'tutorial/datastructures', 'howto/functional', 'reference/expressions'],
  ['virtual environment', 'library/venv', 'tutorial/venv', 'installing/'],
  ['format strings', 'library/string', 'tutorial/inputoutput', 'library/stdtypes'],
  ['regular expression groups', 'library/re', 'howto/regex'],
  ['asyncio gather', 'library/asyncio-task', 'library/asyncio'],
  ['try except finally', 'tutorial/errors', 'reference/compound_stmts'],
  ['run external program', 'library/subprocess', 'library/asyncio-subprocess'],
  ['defaultdict', 'library/collections'],
  ['utf-8 encoding', 'howto/unicode', 'library/codecs'],
  ['PYTHONPATH', 'using/cmdline', 'library/sys_path_init', 'library/site'],
  ['mock a function in tests', 'library/unittest.mock'],
  ['what is a decorator', 'glossary', 'reference/compound_stmts'],
  ['json.dumps', 'library/json'],
];

export const POSTFIX: readonly ManualQuery[] = [
  ['relay mail through gmail with password', 'sasl_readme', 'soho_readme', 'standard_configuration'],
  ['virtual alias domains', 'virtual_readme', 'virtual.5'],
  ['smtpd_recipient_restrictions', 'postconf.5', 'smtpd_access_readme'],
  ['delete mail from queue', 'postsuper.1', 'postqueue.1'],
  ['greylisting', 'smtpd_policy_readme', 'postscreen_readme'],
  ['enable tls', 'tls_readme', 'postfix-tls.1'],
  ['mysql lookup', 'mysql_readme', 'mysql_table'],
  ['what is postfix', 'overview', 'index', 'basic_configuration'],
  ['block spam', 'postscreen_readme', 'smtpd_access_readme', 'backscatter', 'content_inspection', 'builtin_filter'],
  ['master.cf', 'master.5', 'master.8'],
  ['rewrite sender address', 'address_rewriting', 'canonical.5', 'generic.5'],
  ['chroot', 'basic_configuration', 'debug_readme', 'master.5'],
  ['milter', 'milter_readme'],
  ['debugging', 'debug_readme'],
  ['backup mx', 'standard_configuration', 'etrn_readme'],
];

export const SPHINX: readonly ManualQuery[] = [
  ['install sphinx', 'usage/installation', 'tutorial/getting-started'],
  ['autodoc', 'usage/extensions/autodoc', 'tutorial/automatic-doc-generation'],
  ['conf.py', 'usage/configuration'],
  ['markdown support', 'usage/markdown'],
  ['html theme', 'usage/theming', 'development/theming'],
  ['cross reference a label', 'usage/restructuredtext/roles', 'usage/extensions/autosectionlabel'],
  ['toctree', 'usage/restructuredtext/directives'],
  ['write an extension', 'development/tutorials', 'extdev/'],
  ['google style docstrings', 'usage/extensions/napoleon', 'usage/extensions/example_google'],
  ['link to other projects', 'usage/extensions/intersphinx', 'tutorial/'],
  ['latex pdf output', 'latex', 'usage/builders', 'usage/configuration'],
  ['translate documentation', 'usage/advanced/intl'],
  ['sphinx-build', 'man/sphinx-build'],
  ['math equations', 'usage/extensions/math', 'usage/restructuredtext/'],
  ['deploy to github pages', 'tutorial/deploying', 'usage/extensions/githubpages'],
];

export const DEBIAN_FAQ: readonly ManualQuery[] = [
  ['what is debian', 'basic-defs'],
  ['download cd images', 'getting-debian'],
  ['difference between stable and testing', 'choosing', 'ftparchives'],
  ['upgrade to new release', 'uptodate'],
  ['dpkg', 'pkgtools', 'pkg-basics'],
  ['install java', 'software'],
  ['build custom kernel', 'kernel'],
  ['virtual package', 'pkg-basics'],
  ['source package', 'pkg-basics', 'pkgtools'],
  ['mailing lists', 'support'],
  ['sell debian cds', 'redistributing', 'getting-debian'],
  ['non-free', 'ftparchives', 'basic-defs', 'software', 'redistributing'],
  ['keyboard layout', 'customizing'],
  ['red hat rpm', 'compatibility', 'pkgtools'],
  ['become a developer', 'contributing'],
];
