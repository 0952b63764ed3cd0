import type { Schemas } from '../../api.ts';
import { Select, TextField } from '../../components/field.tsx';
import { neededNumber } from '../../forms/lines.ts';
import { SectionForm } from '../../forms/section-form.tsx';
import { useSettingsTexts } from '../../texts/settings.ts';
import styles from './settings.module.css';
import { type Site, useSiteSection } from './site-section.ts';

type Policy = Schemas['RemovalPolicy'];
type Draft = { readonly mode: Policy['mode']; readonly holdPercent: string; readonly minPages: string };

const draftOf = ({ removalPolicy: { mode, holdPercent, minPages } }: Site): Draft => ({
  mode,
  holdPercent: String(holdPercent),
  minPages: String(minPages),
});
const bodyOf = ({ mode, holdPercent, minPages }: Draft) => ({
  removalPolicy: { mode, holdPercent: neededNumber(holdPercent, NaN), minPages: neededNumber(minPages, NaN) },
});

/** What happens to pages that are gone from the website. */
export function RemovalSection({ site }: { readonly site: Site }) {
  const t = useSettingsTexts();
  const section = useSiteSection<Draft, ReturnType<typeof bodyOf>>(site, draftOf, bodyOf);
  const { draft, set, errorAt } = section;
  const names = {
    'removalPolicy.mode': t.removalMode,
    'removalPolicy.holdPercent': t.holdPercent,
    'removalPolicy.minPages': t.minPages,
  };
  return (
    <SectionForm section={section} id="removal" title={t.removal} lead={t.removalLead} names={names}>
      <Select
        label={t.removalMode}
        value={draft.mode}
        choices={t.removalModes}
        onChange={(mode) => set({ mode })}
        error={errorAt('removalPolicy.mode')}
      />
      {draft.mode === 'hold' && (
        <div className={styles.columns}>
          <TextField
            label={t.holdPercent}
            hint={t.holdPercentHint}
            inputMode="decimal"
            value={draft.holdPercent}
            onChange={(holdPercent) => set({ holdPercent })}
            error={errorAt('removalPolicy.holdPercent')}
            autoComplete="off"
          />
          <TextField
            label={t.minPages}
            hint={t.minPagesHint}
            inputMode="numeric"
            value={draft.minPages}
            onChange={(minPages) => set({ minPages })}
            error={errorAt('removalPolicy.minPages')}
            autoComplete="off"
          />
        </div>
      )}
    </SectionForm>
  );
}
