/** Question and function words, folded. The other words of a question name its topic. */
export const QUESTION_WORDS: Readonly<Record<string, string>> = {
  en:
    'a about am an and any are arent as at be been by can cant could did didnt do does doesnt doing dont for ' +
    'from had has have how i if im in into is isnt it its ive many me much my need no not of on or our please ' +
    'shall should so some tell than that the their them there these they this those to us want was we were ' +
    'what whats when where wheres which while who whom whose why will with wont would you your',
  de:
    'aber als am an auf aus bei bin bitte da das dass dem den der des die diese dieser dieses du durch ein ' +
    'eine einem einen einer eines er es fur hat habe haben ich ihr im in ist kann kannst konnen man mein meine ' +
    'meinem meinen meiner mich mir mit nach nicht oder sich sie sind soll um und uns unser von vor wann war ' +
    'warum was welche welcher welches wenn wer werden wie wieso wieviel wird wo woher wohin zu zum zur',
  es:
    'al como con cual cuales cuando cuanta cuanto de del desde donde el ella en entre es esta estan este esto ' +
    'ha hacer hay la las lo los me mi mis no o para pero por porque puedo puede que quien se ser si sin sobre ' +
    'son su sus te tengo tiene tu un una unas unos y ya yo',
  fr:
    'a ai au aux avec c ce ces cest cette combien comment d dans de des du elle en est estce et etre faire il ' +
    'ils j je l la le les leur lui m ma mais me mes mon n ne nos notre nous on ou par pas peut peux pour ' +
    'pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa se ses son sont sur t ta te tu un une ' +
    'vos votre vous y',
  it:
    'a ad ai al alla alle anche c che chi ci come con cosa cui d da dal dalla dei del della delle dell di dove ' +
    'e ed era fare gli ha ho i il in io l la le lo ma mi mia mio ne nel nella non o per perche piu posso puo ' +
    'quale quali quando quanto questa questo se si sono su sul sulla tra tu un una uno',
  nl:
    'aan al als bij dat de der deze die dit doe door een en er geen het hoe hoeveel ik in is je kan kun kunnen ' +
    'maar me met mijn moet naar niet of om ons onze ook op over te tot u uit uw van voor waar waarom wanneer ' +
    'was wat we welk welke wie wij wordt zijn zo',
  pt:
    'a ao aos as com como da das de do dos e ela em entre essa esse esta este eu foi ha isso ja la lhe mais ' +
    'mas me meu minha na nao nas no nos o onde os ou para pela pelo por porque posso pode qual quais quando ' +
    'quanto que quem se sem ser seu sua sao tem tenho um uma voce',
};

export const QUESTION_LANGUAGES: readonly string[] = Object.keys(QUESTION_WORDS);

const languagesOf = languagesByWord(QUESTION_WORDS);
const NONE: readonly number[] = [];

/**
 * Returns the languages in which a folded word is a question or function word, as indexes into `QUESTION_LANGUAGES`.
 */
export const questionLanguages = (word: string): readonly number[] => languagesOf.get(word) ?? NONE;

/** Returns whether a folded word is a question or function word in one of the languages ('en', 'de'). */
export function isQuestionWord(word: string, languages: readonly string[]): boolean {
  return questionLanguages(word).some((index) => languages.includes(QUESTION_LANGUAGES[index] ?? ''));
}

/** Returns the languages of each word, as indexes into the keys of `words`. */
export function languagesByWord(words: typeof QUESTION_WORDS): ReadonlyMap<string, readonly number[]> {
  const languages = new Map<string, readonly number[]>();
  for (const [index, list] of Object.values(words).entries())
    for (const word of list.split(' ')) languages.set(word, [...(languages.get(word) ?? []), index]);
  return languages;
}
