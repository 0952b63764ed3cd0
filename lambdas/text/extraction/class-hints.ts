import type { HtmlNode } from '../html/tree.ts';
import { wordSet } from '../html/word-set.ts';

/**
 * A `notice` is never content. `links` are not content if most of their text is links. The rest of the page decides
 * about the others.
 */
export type ClassHint = 'notice' | 'links' | 'comments' | 'contents';

const MAX_TOKENS = 24;
const MAX_TOKEN_LENGTH = 60;
const MAX_CACHED = 20_000;

/** Words that decide anywhere in a name, as in `site-nav__list` or `FooterLinks`. */
const NOTICE_WORDS = wordSet(`
  cookie cookies consent gdpr onetrust newsletter subscribe subscription signup share sharing sharethis sharedaddy
  social socials modal popup lightbox drawer flyout hamburger toast promo sponsored advert advertisement advertising
  adsbygoogle disqus privacy skip skiplink gform gfield navheader navfooter editsection headerlink linenos
  pagination pager paginator breadcrumb breadcrumbs crumbs sidebar related relatedposts recommended recommendations
  footer vjs videojs jwplayer
`);
const LINKS_WORDS = wordSet(`
  nav navbar navigation navbox sidenav subnav menu menus submenu megamenu menuitem masthead topbar toolbar catlinks
`);
/** Names that decide only as a whole, because their single words also occur in names of content. */
const NOTICE_NAMES = wordSet(`
  ad ads tags tag-list tagcloud post-tags entry-tags sr-only visually-hidden screen-reader-text author-box
  author-bio about-author widget-area login log-in search search-form searchform post-navigation read-next
  more-stories next-article prev-next language-switcher announcement-bar noscript gutter video-js video-player
  videoplayer player-controls
`);
const AD_NAME = /^ad-.{1,20}$/;
const LINKS_NAMES = wordSet('header site-header main-header page-top top-bar banner');
const CONTENTS_NAMES = wordSet('toc table-of-contents on-this-page page-toc contents-list');
const COMMENTS_NAMES = wordSet(`
  comment comments comment-list commentlist post-comments article-comments respond reply replies reply-form review
  reviews customer-reviews product-review product-reviews
`);
const COMMENTS_PART =
  /^(?:comments?-(?:area|section|wrapper|container|thread|block|box)|reviews?-(?:list|section|container|wrapper))$/;
/** `has-sidebar` describes the element next to a sidebar. */
const DESCRIBES_CONTEXT = /^(?:has|with|no|without|is|js|hide|show|layout|wp|page|body)-/;

/** The id of these elements is an anchor made from their title. */
const TITLED = wordSet('section h1 h2 h3 h4 h5 h6');

/**
 * Returns the words of a name in lower case. The first or last is empty if the name begins or ends with another
 * character.
 */
function wordsOf(token: string): readonly string[] {
  const parted = /[^a-z\d_.-]/.test(token) ? token.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase() : token;
  return parted.split(/[^a-z]+/);
}

function hintOfToken(token: string): ClassHint | undefined {
  if (token.length > MAX_TOKEN_LENGTH || /[[\]:()]/.test(token)) return undefined;
  const parts = wordsOf(token);
  const name = parts.join('-');
  if (DESCRIBES_CONTEXT.test(name)) return undefined;
  if (COMMENTS_NAMES.has(name) || COMMENTS_PART.test(name)) return 'comments';
  if (CONTENTS_NAMES.has(name)) return 'contents';
  if (parts.some((word) => NOTICE_WORDS.has(word)) || isNoticeName(name)) return 'notice';
  return parts.some((word) => LINKS_WORDS.has(word)) || LINKS_NAMES.has(name) ? 'links' : undefined;
}

const isNoticeName = (name: string): boolean => NOTICE_NAMES.has(name) || AD_NAME.test(name);

/** Reads ids and classes, with a cache for one page: a page repeats few lists of classes many times. */
export class ClassHints {
  readonly #tokenCache = new Map<string, ClassHint | undefined>();
  readonly #listCache = new Map<string, ClassHint | undefined>();

  read({ name, attributes }: HtmlNode): ClassHint | undefined {
    const { id, class: classes = '' } = attributes;
    const hasAnchorId = id === undefined || TITLED.has(name) || classes.includes('section');
    const hint = hasAnchorId ? undefined : hintOfToken(id);
    if (hint !== undefined || classes === '') return hint;
    return cachedOr(this.#listCache, classes, (list) => this.#hintOfList(list));
  }

  #hintOfList(classes: string): ClassHint | undefined {
    for (const token of classes.split(/\s+/, MAX_TOKENS)) {
      const hint = token === '' ? undefined : cachedOr(this.#tokenCache, token, hintOfToken);
      if (hint !== undefined) return hint;
    }
    return undefined;
  }
}

function cachedOr<T>(cache: Map<string, T>, key: string, read: (key: string) => T): T {
  const found = cache.get(key);
  if (found !== undefined || cache.has(key)) return found as T;
  const value = read(key);
  if (cache.size < MAX_CACHED) cache.set(key, value);
  return value;
}
