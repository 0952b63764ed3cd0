import { longPattern } from '../../text/long-pattern.ts';
import { askedFact, hasFact } from './asked-facts.ts';
import type { AskedFact } from './asking-words.ts';

/** A kind of question, and the form of the sentences that answer it. */
export type QuestionKind = {
  /** 0 to 2. `hasSubjectBefore` tells whether the question's words come before an offset in the sentence. */
  readonly fits: (sentence: string, hasSubjectBefore: (end: number) => boolean) => number;
  /** The question asks for a definition, which is usually at the beginning of a page. */
  readonly defines: boolean;
  /** Tells whether a sentence has the fact asked for; undefined if the question asks for none, or if unclear. */
  readonly hasFact: (sentence: string) => boolean | undefined;
  /** Length of the answer: steps, reasons and differences take more sentences than a fact. */
  readonly takes: 'fact' | 'definition' | 'steps';
};

/*
 * The first pattern that matches a question determines its kind. Without a match, answers are chosen by words and
 * meaning alone.
 */
type Pattern = readonly [question: RegExp, fits: QuestionKind['fits'], kind?: 'defines' | 'long' | 'origin'];

const matches =
  (pattern: RegExp): QuestionKind['fits'] =>
  (sentence) =>
    pattern.test(sentence) ? 1 : 0;

/** "An upsert is a clause …": the subject, then the verb. */
const DEFINES = longPattern(
  String.raw`
    ^(?!(?:When|If|In|For|As|While|There|Because|Since|Although|This|That|These|It|Note|Once|After|Before
      |Each|Every|Any|All|Some|See)\b)
    [^.;:,]{2,60}?\b
    (?:is|are|means|refers? to|describes?|consists? of|provides?|(?:allow|let|enable)s?
      |(?:ist|sind|bedeutet|bezeichnet)|(?:es|son|significa)|(?:est|sont|d\u00e9signe)|significa
      |(?:\u00e8|sono)|(?:zijn|betekent)|(?:\u00e9|s\u00e3o))
    \b(?! (?:not|used by|also|only|called when|set)\b)`,
  'iu',
);
const DOES = longPattern(
  String.raw`
    ^(?!(?:When|If|In|For|As|While|There|This|That|It|Note)\b)
    (?:(?:The|An?) )?[^.;:,]{2,50}?\b
    (?!is\b|has\b|was\b|this\b|does\b)\p{Ll}+s\b(?= )`,
  'u',
);
const INSTRUCTS = longPattern(
  String.raw`
    ^(?:(?:First|Then|Next|Finally|Simply|Just),? )?
    (?:To \p{Ll}+\b|Use\b|Run\b|Set\b|Call\b|Add\b|Create\b|Click\b|Open\b|Choose\b|Select\b|Enter\b|Type\b
      |Install\b|Go to\b|Make sure\b|Specify\b|Enable\b|Execute\b|Issue\b|Write\b|Put\b|Send\b|Change\b|Remove\b
      |Delete\b|Copy\b|Start\b|Press\b|Provide\b)
    |\b(?:you (?:can|may|must|should|need to|have to|could|will need)
      |(?:can|may|must|should) (?:also )?be \p{Ll}+ (?:by|with|using|via|through|to|from)
      |by \p{Ll}+ing\b|using\b|use (?:the|an?)\b|is (?:done|used to)
      |(?:easiest|simplest|best|usual|basic) (?:way|usage|method)|command:?$)`,
  'u',
);
const REASONS = longPattern(
  String.raw`
    \b(?:because|since|so that|in order to|due to|reasons?|therefore|otherwise|thus|to (?:avoid|ensure|prevent
    |improve|allow)|means that|causes?|prevents?|helps?|benefits?|advantages?)\b`,
  'i',
);
const AMOUNTS = /\d|\b(?:dozen|hundred|thousand|million|billion|unlimited|no (?:fixed |hard |upper )?limit)\b/i;
const CONTRASTS = longPattern(
  String.raw`
    \b(?:differences?|differs?|whereas|while|unlike|however|but|rather than|instead|compared|faster|slower|both
    |on the other hand|in contrast|than)\b`,
  'i',
);
const FOLLOWS = longPattern(
  String.raw`
    \b(?:will|would|results? in|then|causes?|abort\p{Ll}*|errors?|automatically|raises?|fails?|resolves?|until
    |one of)\b`,
  'iu',
);
const RECOMMENDS =
  /\b(?:preferred|recommended|best|better|usually|should|most|introduced|since|added|suitable|good|choose|use)\b/i;
const ALLOWS = longPattern(
  String.raw`
    \b(?:can|cannot|can't|may|must|should|possible|allow(?:s|ed)?|supports?|supported|not|never|always|only
    |safe(?:ly)?|recommended|avoid|unless)\b`,
  'i',
);

/** Value of `fits` by fact. Numbers and times are rarer in sentences than names, so they say more. */
const FACT_WORTH: Readonly<Record<AskedFact, number>> = { number: 1.5, time: 1.5, person: 1, place: 0.5 };

const ORIGINS = longPattern(
  String.raw`
    \b(?:origin\p{L}*|deriv\p{L}*|coined|first used|attributed|named|etymolog\p{L}*|dates? (?:back|from)
    |(?:comes?|came|taken) from|introduced|invented|refers? to)\b`,
  'iu',
);

const PATTERNS: readonly Pattern[] = [
  [
    /^where (?:does|did|do) .+ (?:come|came|comes|originate|get its name|get their names?)\b/i,
    matches(ORIGINS),
    'origin',
  ],
  [/\bdifferences?\b|\bcompared?\b|\bversus\b|\bvs\b/i, matches(CONTRASTS), 'long'],
  [
    longPattern(
      String.raw`
        \b(?:how (?:many|much|long|large|big|often|fast|old|far|tall|high)|(?:maximum|minimum|default|limit|size
        |number|price|cost)s?\b|wie (?:viele?|lange|gro\u00df|oft|hoch)|cu\u00e1nt\p{L}+|combien|quant[oiae]|hoeveel)`,
      'iu',
    ),
    (sentence) => (AMOUNTS.test(sentence) ? 1.5 : 0),
  ],
  [/^what happens\b|\bwhat (?:will|would) happen\b/i, matches(FOLLOWS), 'long'],
  [/^what (?:does|do) .+ do\b/i, (sentence, has) => 2 * subjectBefore(DOES, sentence, has), 'defines'],
  [/^what (?:are|is) the (?:advantages?|benefits?|reasons?|purpose)\b/i, matches(REASONS), 'long'],
  [
    longPattern(
      String.raw`
        ^(?:what(?:'s|\u2019s| is| are| was)|(?:was|wer) (?:ist|sind)|qu\u00e9 (?:es|son)|qu['\u2019]est-ce que?
        |c(?:he )?os['\u2019a]? ?(?:\u00e8|sono)|wat (?:is|zijn)|o que (?:\u00e9|s\u00e3o)|define|explain)\b`,
      'iu',
    ),
    (sentence, has) => 2 * subjectBefore(DEFINES, sentence, has),
    'defines',
  ],
  [
    /^(?:how (?:do|can|could|should|to|would|does one)|(?:what is|what's) the (?:best |easiest )?way)\b/i,
    matches(INSTRUCTS),
    'long',
  ],
  [/^why\b/i, matches(REASONS), 'long'],
  [/^which\b/i, matches(RECOMMENDS)],
  [/^(?:can|could|is|are|does|do|should|may|must|will|has|have)\b/i, matches(ALLOWS), 'long'],
];

function subjectBefore(pattern: RegExp, sentence: string, has: (end: number) => boolean): number {
  const found = sentence.endsWith(':') ? undefined : pattern.exec(sentence); // a lead does not define its subject
  return found && has(found[0].length) ? 1 : 0;
}

const TAKES = { fact: 'fact', origin: 'fact', defines: 'definition', long: 'steps' } as const;

/** `language` is that of the question. */
export function questionKind(question: string, language: string): QuestionKind {
  const text = question.trim();
  const [, fits, kind] = PATTERNS.find(([pattern]) => pattern.test(text)) ?? [];
  const fact = kind === 'origin' ? undefined : askedFact(text, language);
  const has = (sentence: string) => fact && hasFact(fact, sentence, text, language);
  const ofFact = (sentence: string): number => (fact && has(sentence) === true ? FACT_WORTH[fact] : 0);
  return {
    fits: fact ? ofFact : (fits ?? (() => 0)),
    defines: kind === 'defines',
    hasFact: has,
    takes: TAKES[kind ?? 'fact'],
  };
}
