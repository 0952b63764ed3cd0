import { useQuery } from '@tanstack/react-query';
import { organisationQuery, queryClient } from '../api.ts';
import { type Appearance, appearance, setAppearance } from '../appearance.ts';
import { Button } from '../components/button.tsx';
import { Select } from '../components/field.tsx';
import { type Language, language, setLanguage } from '../language.ts';
import { signOut } from '../session.ts';
import { useShellTexts } from '../texts/shell.ts';
import { useValue } from '../value.ts';
import styles from './account-menu.module.css';

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
] as const satisfies readonly { readonly value: Language; readonly label: string }[];

/** Whose key is in use, how the dashboard looks, and the way out. */
export function AccountMenu() {
  const t = useShellTexts();
  const { data } = useQuery(organisationQuery());
  const leave = () => {
    signOut();
    queryClient.clear();
  };
  return (
    <div className={styles.account}>
      <details>
        <summary>
          <span className={styles.organisation}>{data?.name ?? '…'}</span>
          <span className={styles.role}>{data && t.roleOfKey(data.role)}</span>
        </summary>
        <div className={styles.choices}>
          <DisplayChoices />
          <a href="/">{t.searchPage}</a>
          <a href="/docs">{t.apiReference}</a>
        </div>
      </details>
      <Button onClick={leave}>{t.signOut}</Button>
    </div>
  );
}

/** Language and colours, which are kept in the browser. */
export function DisplayChoices() {
  const t = useShellTexts();
  const looks: readonly { readonly value: Appearance; readonly label: string }[] = [
    { value: 'system', label: t.asSystem },
    { value: 'light', label: t.light },
    { value: 'dark', label: t.dark },
  ];
  return (
    <>
      <Select label={t.language} value={useValue(language)} choices={LANGUAGES} onChange={setLanguage} />
      <Select label={t.appearance} value={useValue(appearance)} choices={looks} onChange={setAppearance} />
    </>
  );
}
