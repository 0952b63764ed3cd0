const RULE = /^[-=_─━═~*#+|:.\s]{4,}$/;
const STROKE = /[-=_─━═~*]{3}/;

/**
 * Removes lines that only draw a rule, such as those under table heads in plain text. Nobody reads or searches them.
 */
export const withoutRules = (text: string): string =>
  STROKE.test(text)
    ? text
        .split('\n')
        .filter((line) => !(RULE.test(line) && STROKE.test(line)))
        .join('\n')
    : text;
