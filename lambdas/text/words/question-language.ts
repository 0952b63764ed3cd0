import { fold } from './folding.ts';
import { languagesByWord, QUESTION_LANGUAGES, QUESTION_WORDS } from './question-words.ts';
import { primaryLanguage } from './stemmer.ts';
import { words } from './words.ts';

const MAX_WORDS = 100;
const DEFAULT = 'en';

/**
 * Function words that identify the language of a question, folded. Searches do not ignore these words: the title
 * lengths in an index depend on `QUESTION_WORDS`.
 */
const OTHER_LANGUAGES: Readonly<Record<string, string>> = {
  pl:
    'a ale albo by byc byl byla bylo byly ci co czego czemu czy czyj czym dla dlaczego do gdzie i ich ile jak jaka jaki ' +
    'jakie jakiego jakim jego jej jest ja ktora ktore ktorego ktorej ktory ktorym ktorych kiedy kim kogo komu kto ma ' +
    'miala mial mnie moge moj moja mozna na nie o od oraz po pod przez przy sa sie skad ta tak te tego tej ten to tym w ' +
    'we z za ze',
  ro:
    'a acest aceasta ai al ale am are asupra au ca care catre cand cat cata cate cati ce cea cel cele cine cu cui cum ' +
    'da dar de decat despre din dintre dupa e ea ei el era este eu fi fost iar il in intr intre isi la le lui ma mai ' +
    'mea meu nu o pe pentru pot prin sa sau se si sunt te toate un unde unei unui va',
  tr:
    'acaba ama bana ben bir biz bu bunu cok da daha de degil diye en gibi gore hangi hangisi hangisidir hakkinda ' +
    'icin ile ilk ise kac kadar kez kisi kim kime kimdir kimin kimler mi midir mu mudur nasil ne nedir neden nerede nereden ' +
    'nereye neresi niye nicin o olan olarak oldu olmus once sen siz sonra su tane tarafindan ve veya ya yil yilda ' +
    'zaman',
  vi:
    'ai bang bao bi cac cach cai chi cho co con cua cung da dang dau day de den di do doi duoc gi gio giua hay hoac ' +
    'khi khong la lam lau loai may mot nao nay nguoi nhieu nhu nhung noi o phai sao sau se ta tai the theo thi toi ' +
    'trong tu va vao ve vi voi',
};

/** The languages that function words can identify. */
const TOLD_LANGUAGES: readonly string[] = [...QUESTION_LANGUAGES, ...Object.keys(OTHER_LANGUAGES)];

const toldBy = languagesByWord({ ...QUESTION_WORDS, ...OTHER_LANGUAGES });

/** Returns the languages that a folded word belongs to, as indexes into `TOLD_LANGUAGES`. */
const wordLanguages = (word: string): readonly number[] => toldBy.get(word) ?? [];

/**
 * Scripts and their languages, the default first; a language of the site wins. Kana come before Han and rule out
 * Chinese.
 */
const SCRIPTS: readonly { readonly script: RegExp; readonly languages: readonly string[] }[] = [
  { script: /[\p{sc=Hiragana}\p{sc=Katakana}]/u, languages: ['ja'] },
  { script: /\p{sc=Hangul}/u, languages: ['ko'] },
  { script: /\p{sc=Han}/u, languages: ['zh', 'ja'] },
  { script: /\p{sc=Thai}/u, languages: ['th'] },
  { script: /\p{sc=Greek}/u, languages: ['el'] },
  { script: /\p{sc=Cyrillic}/u, languages: ['ru', 'uk', 'bg', 'be', 'sr', 'mk', 'kk'] },
  { script: /\p{sc=Arabic}/u, languages: ['ar', 'fa', 'ur'] },
  { script: /\p{sc=Devanagari}/u, languages: ['hi', 'mr', 'ne'] },
  { script: /\p{sc=Hebrew}/u, languages: ['he'] },
];
/** A word with one of these letters counts as a function word of the language. */
const LETTERS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['de', /\u00df/],
  ['es', /[\u00f1\u00bf]/],
  ['fr', /[\u0153\u00f9]/],
  ['pl', /[\u0105\u0119\u0142\u015b\u017a\u017c\u0107\u0144]/],
  ['pt', /[\u00e3\u00f5]/],
  ['ro', /[\u0103\u0219\u021b\u0163]/],
  ['tr', /[\u0131\u011f\u015f]/],
  ['vi', /[\u01a1\u01b0\u0111\u1ea0-\u1ef9]/],
];
/** This many function words in Latin letters outweigh a name in another script. */
const SURE_WORDS = 2;

/**
 * Detects the language of a question, which is too short for `detectLanguage`: by its script, or else the one of
 * `TOLD_LANGUAGES` with most function words in it. A tie goes to one of the site's languages. Without function words,
 * the answer is the site's language, or English.
 */
export function questionLanguage(question: string, siteLanguages: readonly string[]): string {
  const ofSite = siteLanguages.map(primaryLanguage);
  const counts = new Map<string, number>();
  for (const word of wordsOf(question))
    for (const language of languagesOf(word)) counts.set(language, (counts.get(language) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const written = SCRIPTS.find(({ script }) => script.test(question))?.languages ?? [];
  if (written.length > 0 && most < SURE_WORDS)
    return ofSite.find((language) => written.includes(language)) ?? written[0] ?? DEFAULT;
  const candidates = TOLD_LANGUAGES.filter((language) => most > 0 && counts.get(language) === most);
  const told = ofSite.filter((language) => TOLD_LANGUAGES.includes(language));
  const preferred = candidates.length > 0 ? candidates : told;
  return told.find((language) => preferred.includes(language)) ?? preferred[0] ?? DEFAULT;
}

function languagesOf(word: string): readonly string[] {
  const bare = fold(word).replace(/['\u2019]/g, '');
  const told = wordLanguages(bare).map((index) => TOLD_LANGUAGES[index] ?? DEFAULT);
  return [...told, ...LETTERS.filter(([, letters]) => letters.test(word)).map(([language]) => language)];
}

function wordsOf(text: string): readonly string[] {
  const found: string[] = [];
  for (const { spans } of words(text)) {
    const [span] = spans;
    if (span) found.push(text.slice(span.start, span.end).normalize('NFC').toLowerCase());
    if (found.length >= MAX_WORDS) break;
  }
  return found;
}
