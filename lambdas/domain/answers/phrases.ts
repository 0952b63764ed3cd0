import { QUESTION_LANGUAGES } from '../../text/words/question-words.ts';

/** What the service itself says in an answer, in one language. */
export type Phrases = {
  readonly refusal: string;
  /** Introduces titles of pages. */
  readonly instead: string;
  readonly otherWords: string;
  readonly leftOut: string;
  readonly brokenOff: string;
};

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    refusal: 'These pages do not answer this question.',
    instead: 'You could ask about:',
    otherWords: 'Try other words.',
    leftOut: 'Statements that the sources do not support were left out.',
    brokenOff: 'The answer broke off here.',
  },
  de: {
    refusal: 'Diese Seiten beantworten die Frage nicht.',
    instead: 'Fragen Sie zum Beispiel nach:',
    otherWords: 'Versuchen Sie es mit anderen Wörtern.',
    leftOut: 'Aussagen, die die Quellen nicht belegen, wurden weggelassen.',
    brokenOff: 'Die Antwort brach hier ab.',
  },
  es: {
    refusal: 'Estas páginas no responden a esta pregunta.',
    instead: 'Puede preguntar por:',
    otherWords: 'Pruebe con otras palabras.',
    leftOut: 'Se omitieron afirmaciones que las fuentes no respaldan.',
    brokenOff: 'La respuesta se interrumpió aquí.',
  },
  fr: {
    refusal: 'Ces pages ne répondent pas à cette question.',
    instead: 'Vous pouvez demander :',
    otherWords: 'Essayez avec d’autres mots.',
    leftOut: 'Les affirmations que les sources ne confirment pas ont été omises.',
    brokenOff: 'La réponse s’est interrompue ici.',
  },
  it: {
    refusal: 'Queste pagine non rispondono a questa domanda.',
    instead: 'Può chiedere di:',
    otherWords: 'Provi con altre parole.',
    leftOut: 'Le affermazioni che le fonti non confermano sono state omesse.',
    brokenOff: 'La risposta si è interrotta qui.',
  },
  nl: {
    refusal: 'Deze pagina’s beantwoorden de vraag niet.',
    instead: 'U kunt vragen naar:',
    otherWords: 'Probeer andere woorden.',
    leftOut: 'Uitspraken die de bronnen niet ondersteunen, zijn weggelaten.',
    brokenOff: 'Het antwoord brak hier af.',
  },
  pt: {
    refusal: 'Estas páginas não respondem a esta pergunta.',
    instead: 'Pode perguntar sobre:',
    otherWords: 'Tente com outras palavras.',
    leftOut: 'As afirmações que as fontes não confirmam foram omitidas.',
    brokenOff: 'A resposta foi interrompida aqui.',
  },
};

export const PHRASE_LANGUAGES: readonly string[] = QUESTION_LANGUAGES;

export const phrasesOf = (language: string): Phrases => PHRASES[language] ?? (PHRASES.en as Phrases);

/** Says that the site does not answer, and names pages that could be asked about. */
export function refusalText({ refusal, instead, otherWords }: Phrases, titles: readonly string[]): string {
  return titles.length > 0 ? `${refusal} ${instead} ${titles.join(' · ')}` : `${refusal} ${otherWords}`;
}
