/** The names of numbered parts of a book, in the languages of most books. */
const PARTS =
  'chapter|section|appendix|annex|part|lesson|step|kapitel|abschnitt|anhang|teil|chapitre|annexe|partie|' +
  'cap[ií]tulo|secci[oó]n|anexo|parte|capitolo|sezione|hoofdstuk|bijlage|deel';
/** "Chapter 9.", "Appendix A:", "10.2.", "F.39." and "3)", but neither "3 ways" nor "A guide". */
const NUMBER = new RegExp(
  `^\\s*(?:(?:${PARTS})\\s+(?:\\d+(?:\\.\\d+)*|[A-Z]|[IVXL]+)[.:)]?|(?:\\d+|[A-Z])(?:\\.\\d+)+[.:)]?|\\d+[.)])` +
    '(?:\\s*[\\u2013\\u2014-])?\\s+(?=\\S)',
  'iu',
);

/** Returns a title or heading without a number before it. A title that is only a number is kept. */
export const withoutNumber = (title: string): string => title.replace(NUMBER, '');
