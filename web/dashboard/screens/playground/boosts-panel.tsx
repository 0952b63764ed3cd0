import { BoostRows, type BoostsDraft, boostsBodyOf } from '../../forms/boost-rows.tsx';
import { SectionForm } from '../../forms/section-form.tsx';
import type { Section } from '../../forms/use-section.ts';
import { useFormTexts } from '../../texts/forms.ts';
import { usePlaygroundTexts } from '../../texts/playground.ts';
import type { Site } from '../settings/site-section.ts';
import { boostChanges } from './boost-changes.ts';
import styles from './playground.module.css';

type Props = { readonly site: Site; readonly section: Section<BoostsDraft> };

/** The boosts that are tried, what they would change if they were saved, and the button that saves them. */
export function BoostsPanel({ site, section }: Props) {
  const t = usePlaygroundTexts();
  const form = useFormTexts();
  const { draft, set, errorAt, isDirty } = section;
  const changes = isDirty ? boostChanges(site, boostsBodyOf(draft)) : [];
  const preview = changes.length > 0 && (
    <div className={styles.changes}>
      <h3>{t.changes}</h3>
      <ul>
        {changes.map(({ name, before, after }) => (
          <li key={name}>
            <code>{name}</code> {t.change(before, after)}
          </li>
        ))}
      </ul>
    </div>
  );
  return (
    <SectionForm
      section={section}
      id="boosts"
      title={t.boosts}
      lead={t.boostsLead}
      names={{ urlBoosts: form.urlBoosts, tagBoosts: form.tagBoosts }}
      saveText={t.save}
      after={preview}
    >
      <BoostRows draft={draft} set={set} errorAt={errorAt} />
    </SectionForm>
  );
}
