import { longPattern } from '../long-pattern.ts';

/** How CSS declarations hide the text of an element. */
export type Hiding =
  /** The text is not drawn. */
  | 'hidden'
  /** The text has zero opacity. Scripts also do this with content that they fade in. */
  | 'transparent'
  /** The element has no height; scripts also do this with content that a click unfolds. */
  | 'folded'
  | undefined;

/** Maximum length of an inline style that is read, in characters. */
const MAX_STYLE = 2_000;
const MAY_HIDE = /display|visibility|opacity|clip|(?:left|right|top|bottom|margin)|height|width|scale|font|content-v/i;
const ANIMATED = ['transition', 'animation', 'will-change', 'transition-property', 'animation-name'];
const LENGTH = /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(px|pt|em|rem|ex|ch|vw|vh|%|cm|mm|in)?$/;
/** Approximate pixels per unit. */
const PIXELS = new Map([
  ['pt', 1.33],
  ['em', 16],
  ['rem', 16],
  ['ex', 8],
  ['ch', 8],
  ['vw', 10],
  ['vh', 10],
  ['%', 10],
  ['cm', 38],
  ['mm', 3.8],
  ['in', 96],
]);
const FAR_AWAY = -500;
/** Size of text that is too small to read, in pixels. */
const TINY = 3;
const EMPTY_SHAPE = longPattern(
  String.raw`
    ^(?:inset\((?:[5-9]\d|1\d\d)(?:\.\d{1,9})?%
      |(?:circle|ellipse)\(0
      |polygon\(0(?:px|%)? 0(?:px|%)?(?:, ?0(?:px|%)? 0(?:px|%)?){2,9}\)
      |rect\(0 0 0 0\))`,
);
const RECTANGLE = /^rect\(([^()]{1,80})\)$/;
const OFFSETS = ['left', 'right', 'top', 'bottom', 'margin-left', 'margin-top'];

type Declarations = ReadonlyMap<string, string>;

/** Reads an inline style, or the declarations of a rule. */
export function readStyle(style: string): Declarations | undefined {
  if (!MAY_HIDE.test(style)) return undefined;
  const declarations = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s{0,9}important/i, '')
      .replace(/\s+/g, ' ');
    declarations.set(nameOf(declaration.slice(0, colon)), value.trim().toLowerCase());
  }
  return declarations;
}

/** Returns the name of a property, without a comment before it. */
const nameOf = (text: string): string =>
  text
    .slice(text.lastIndexOf('*/') + 1)
    .replace(/^\//, '')
    .trim()
    .toLowerCase();

export function hidingOf(style: Declarations): Hiding {
  const of = (name: string): string => style.get(name) ?? '';
  if (of('display') === 'none' || of('visibility') === 'hidden' || of('content-visibility') === 'hidden')
    return 'hidden';
  const isAnimated = ANIMATED.some((name) => style.has(name));
  if (of('opacity') !== '' && isNothing(of('opacity')))
    return isAnimated || style.has('transform') ? undefined : 'transparent';
  if (isAnimated) return undefined;
  if (isClipped(style) || isOutside(style) || /^scale(?:3d)?\(0[,)]/.test(of('transform'))) return 'hidden';
  return foldingOf(style);
}

/** Returns whether text is too small to read; undefined if the style does not set its size. */
export function isTiny(style: Declarations): boolean | undefined {
  const size =
    style.get('font-size') ??
    /(?:^| )(\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|%)?)(?=[ /]|$)/.exec(style.get('font') ?? '')?.[1];
  if (size === undefined) return undefined;
  const [, number, unit = 'px'] = LENGTH.exec(size) ?? [];
  if (number === undefined) return false;
  return Math.abs(Number(number)) * (unit === '%' ? 0.16 : (PIXELS.get(unit) ?? 1)) < TINY;
}

/** Returns whether an opacity is below 2 %. */
const isNothing = (value: string): boolean => Number.parseFloat(value) < (value.endsWith('%') ? 2 : 0.02);

function isClipped(style: Declarations): boolean {
  if (EMPTY_SHAPE.test(style.get('clip-path') ?? '')) return true;
  const edges = RECTANGLE.exec(style.get('clip') ?? '')?.[1]
    ?.split(/[\s,]+/)
    .map(pixels);
  if (edges?.length !== 4) return false;
  const [top = 0, right = 0, bottom = 0, left = 0] = edges;
  return right - left <= 1 && bottom - top <= 1;
}

function isOutside(style: Declarations): boolean {
  const isMoved = /^(?:absolute|fixed)$/.test(style.get('position') ?? '');
  return isMoved && OFFSETS.some((name) => pixels(style.get(name)) <= FAR_AWAY);
}

/** Returns how an element without a size hides its text; undefined if it does not. */
function foldingOf(style: Declarations): Hiding {
  const isCut = /^(?:hidden|clip)/.test(style.get('overflow') ?? '');
  const isMoved = /^(?:absolute|fixed)$/.test(style.get('position') ?? '');
  const [width, height] = [size(style, 'width'), size(style, 'height')];
  if (width <= 1 && height <= 1 && (isCut || isMoved)) return 'hidden';
  if (!isCut) return undefined;
  if (width === 0) return 'hidden';
  return height === 0 ? 'folded' : undefined;
}

const size = (style: Declarations, name: string): number =>
  Math.min(
    ...[style.get(name), style.get(`max-${name}`)].map((value) =>
      value === undefined ? Number.POSITIVE_INFINITY : pixels(value, Number.POSITIVE_INFINITY),
    ),
  );

function pixels(value: string | undefined, unknown = 0): number {
  const [, number, unit = 'px'] = LENGTH.exec(value ?? '') ?? [];
  return number === undefined ? unknown : Number(number) * (PIXELS.get(unit) ?? 1);
}
