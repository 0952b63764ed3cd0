import { wordSet } from './word-set.ts';

export type ElementKind = {
  /** Never has content (13.1.2). */
  readonly isVoid: boolean;
  readonly isRoot: boolean;
  /** May be in a head; any other start tag ends the head (13.2.6.4.4). */
  readonly isHeadContent: boolean;
  /** "Formatting" or "special" in the stack of open elements (13.2.4.2). */
  readonly isFormatting: boolean;
  readonly isSpecial: boolean;
  /** Most end tags do not close elements outside of it (13.2.4.2, "has an element in scope"). */
  readonly isScopeEnd: boolean;
  readonly isTablePart: boolean;
  readonly isForeignRoot: boolean;
  /** Its start tag ends an open drawing or formula (13.2.6.5). */
  readonly breaksOut: boolean;
  /** Its content is HTML again, inside a drawing or formula (13.2.6). */
  readonly isIntegrationPoint: boolean;
};

const NAMES: Readonly<Record<keyof ElementKind, ReadonlySet<string>>> = {
  isVoid: wordSet(`
    area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr
  `),
  isRoot: wordSet('html head body'),
  isHeadContent: wordSet('base basefont bgsound link meta title noscript noframes style script template'),
  isFormatting: wordSet('a b big code em font i nobr s small strike strong tt u'),
  isSpecial: wordSet(`
    address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd
    details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
    hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript
    object ol p param plaintext pre script search section select source style summary table tbody td template
    textarea tfoot th thead title tr track ul wbr xmp
  `),
  isScopeEnd: wordSet('applet caption html marquee object select table td template th'),
  isTablePart: wordSet('thead tbody tfoot tr td th'),
  isForeignRoot: wordSet('svg math'),
  breaksOut: wordSet(`
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
    nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
  `),
  isIntegrationPoint: wordSet('foreignobject desc title mi mo mn ms mtext annotation-xml'),
};

const kindNamed = (name: string): ElementKind => ({
  isVoid: NAMES.isVoid.has(name),
  isRoot: NAMES.isRoot.has(name),
  isHeadContent: NAMES.isHeadContent.has(name),
  isFormatting: NAMES.isFormatting.has(name),
  isSpecial: NAMES.isSpecial.has(name),
  isScopeEnd: NAMES.isScopeEnd.has(name),
  isTablePart: NAMES.isTablePart.has(name),
  isForeignRoot: NAMES.isForeignRoot.has(name),
  breaksOut: NAMES.breaksOut.has(name),
  isIntegrationPoint: NAMES.isIntegrationPoint.has(name),
});

const KINDS = new Map(
  Object.values(NAMES).flatMap((names) => [...names].map((name) => [name, kindNamed(name)] as const)),
);
const ORDINARY = kindNamed('');

/** Returns the kind of an element, with one lookup for each tag. */
export function kindOf(name: string): ElementKind {
  return KINDS.get(name) ?? ORDINARY;
}
