const RULE = /^[-=_─━═~*#+|:.\s]{4,}$/;
const STROKE = /[-=_─━═~*]{3}/;

/** Removes lines that only draw a rule, as under the heads of tables in plain text: nobody reads or searches them. */
export const withoutRules = (text: string): string =>
  STROKE.test(text)
    ? text
        .split('\n')
        .filter((line) => !(RULE.test(line) && STROKE.test(line)))
        .join('\n')
    : text;
