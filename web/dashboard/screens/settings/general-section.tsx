import { TextArea, TextField } from '../../components/field.tsx';
import { SectionForm } from '../../forms/section-form.tsx';
import { useSettingsTexts } from '../../texts/settings.ts';
import { type Site, useSiteSection } from './site-section.ts';

const draftOf = ({ name, baseUrl, domain = '', description = '' }: Site) => ({ name, baseUrl, domain, description });
type Draft = ReturnType<typeof draftOf>;
const bodyOf = ({ name, baseUrl, domain, description }: Draft) => ({
  name: name.trim(),
  baseUrl: baseUrl.trim(),
  domain: domain.trim() || null,
  description: description.trim() || null,
});

export function GeneralSection({ site }: { readonly site: Site }) {
  const t = useSettingsTexts();
  const section = useSiteSection(site, draftOf, bodyOf);
  const { draft, set, errorAt } = section;
  const names = { name: t.name, baseUrl: t.baseUrl, domain: t.domain, description: t.description };
  return (
    <SectionForm section={section} id="general" title={t.general} names={names}>
      <TextField
        label={t.name}
        value={draft.name}
        onChange={(name) => set({ name })}
        error={errorAt('name')}
        autoComplete="off"
      />
      <TextField
        label={t.baseUrl}
        hint={t.baseUrlHint}
        type="url"
        value={draft.baseUrl}
        onChange={(baseUrl) => set({ baseUrl })}
        error={errorAt('baseUrl')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label={t.domain}
        hint={t.domainHint}
        value={draft.domain}
        onChange={(domain) => set({ domain })}
        error={errorAt('domain')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextArea
        label={t.description}
        rows={2}
        value={draft.description}
        onChange={(description) => set({ description })}
        error={errorAt('description')}
      />
    </SectionForm>
  );
}
