import type { HtmlNode } from '../html/tree.ts';

/** What an element's names say it is: `notice` never content, `links` no content if it is mostly links, `comments` and `contents` by what else there is. */
export type ClassHint = 'notice' | 'links' | 'comments' | 'contents';

const MAX_TOKENS = 24;
const MAX_TOKEN_LENGTH = 60;
const MAX_KNOWN = 20_000;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words that tell wherever they stand in a name, as in `site-nav__list` or `FooterLinks`. */
const NOTICE_WORDS = words(
  'cookie cookies consent gdpr onetrust newsletter subscribe subscription signup share sharing sharethis sharedaddy social socials modal popup lightbox drawer flyout hamburger toast promo sponsored advert advertisement advertising adsbygoogle disqus privacy skip skiplink gform gfield navheader navfooter editsection headerlink linenos pagination pager paginator breadcrumb breadcrumbs crumbs sidebar related relatedposts recommended recommendations footer',
);
const LINKS_WORDS = words(
  'nav navbar navigation navbox sidenav subnav menu menus submenu megamenu menuitem masthead topbar toolbar catlinks',
);
/** Names that tell only as a whole, since their words also name content. */
const NOTICE_NAME =
  /^(?:ads?|ad-.{1,20}|tags|tag-list|tagcloud|post-tags|entry-tags|sr-only|visually-hidden|screen-reader-text|author-box|author-bio|about-author|widget-area|login|log-in|search|search-form|searchform|post-navigation|read-next|more-stories|next-article|prev-next|language-switcher|announcement-bar|noscript|gutter)$/;
const LINKS_NAME = /^(?:header|site-header|main-header|page-top|top-bar|banner)$/;
const CONTENTS_NAME = /^(?:toc|table-of-contents|on-this-page|page-toc|contents-list)$/;
const COMMENTS_NAME =
  /^(?:comments?|comment-list|commentlist|comments?-(?:area|section|wrapper|container|thread|block)|(?:post|article)-comments|respond|reply-form|reviews?|customer-reviews|product-reviews?|reviews?-(?:list|section|container|wrapper))$/;
/** `has-sidebar` is said of what stands beside a sidebar. */
const SAID_OF_OTHERS = /^(?:has|with|no|without|is|js|hide|show|layout|wp|page|body)-/;

/** An element of these names is called after what it is about. */
const TITLED = words('section h1 h2 h3 h4 h5 h6');

/** The words of a name in small letters; the first or last is empty where something else stands there. */
function wordsOf(token: string): readonly string[] {
  const parted = /[^a-z\d_.-]/.test(token) ? token.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase() : token;
  return parted.split(/[^a-z]+/);
}

function hintOfToken(token: string): ClassHint | undefined {
  if (token.length > MAX_TOKEN_LENGTH || /[[\]:()]/.test(token)) return undefined;
  const parts = wordsOf(token);
  const name = parts.join('-');
  if (SAID_OF_OTHERS.test(name)) return undefined;
  if (COMMENTS_NAME.test(name)) return 'comments';
  if (CONTENTS_NAME.test(name)) return 'contents';
  if (parts.some((word) => NOTICE_WORDS.has(word)) || NOTICE_NAME.test(name)) return 'notice';
  return parts.some((word) => LINKS_WORDS.has(word)) || LINKS_NAME.test(name) ? 'links' : undefined;
}

/** Reads names, remembering the classes and lists of classes met: a page repeats few of them many times. */
export class ClassHints {
  readonly #ofTokens = new Map<string, ClassHint | undefined>();
  readonly #ofLists = new Map<string, ClassHint | undefined>();

  /** The first hint of an element's id and classes. */
  read({ name, attributes }: HtmlNode): ClassHint | undefined {
    const { id, class: classes = '' } = attributes;
    const isTitled = id === undefined || TITLED.has(name) || classes.includes('section');
    const hint = isTitled ? undefined : hintOfToken(id);
    if (hint !== undefined || classes === '') return hint;
    return remembered(this.#ofLists, classes, (list) => this.#hintOfList(list));
  }

  #hintOfList(classes: string): ClassHint | undefined {
    for (const token of classes.split(/\s+/, MAX_TOKENS)) {
      const hint = token === '' ? undefined : remembered(this.#ofTokens, token, hintOfToken);
      if (hint !== undefined) return hint;
    }
    return undefined;
  }
}

function remembered<T>(known: Map<string, T>, key: string, read: (key: string) => T): T {
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found as T;
  const value = read(key);
  if (known.size < MAX_KNOWN) known.set(key, value);
  return value;
}
