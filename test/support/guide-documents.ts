import { readdirSync, readFileSync } from 'node:fs';

const GUIDE = new URL('../../docs/guide/', import.meta.url);

export const guidePages: readonly string[] = readdirSync(GUIDE).filter((name) => name.endsWith('.md'));

export const guideText = (page: string): string => readFileSync(new URL(page, GUIDE), 'utf8');

/** The fenced blocks of a page in one language. The README of the project is `../../README.md`. */
export const blocksOf = (page: string, language: string): readonly string[] =>
  Array.from(guideText(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm))
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code);

/** The rows of all tables of a page whose first heading is this one, as cells without code marks. */
export function tableRows(page: string, heading: string): readonly (readonly string[])[] {
  const tables = guideText(page).split(/\n(?!\|)/);
  return tables
    .map((lines) => lines.split('\n').filter((line) => line.startsWith('|')))
    .filter(([first = '']) => first.startsWith(`| ${heading} |`))
    .flatMap((lines) => lines.slice(2).map(cellsOf));
}

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** What a cell has in code marks. */
export const codeIn = (cell = ''): readonly string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
