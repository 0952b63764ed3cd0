import type { Schemas } from '../../api.ts';
import { Checkbox, Select, TextField } from '../../components/field.tsx';
import { type Keyed, keyed, RowsField } from '../../forms/rows-field.tsx';
import { SectionForm } from '../../forms/section-form.tsx';
import { useSettingsTexts } from '../../texts/settings.ts';
import { type Site, useSiteSection } from './site-section.ts';

type MetadataField = Schemas['MetadataField'];
type Source = 'none' | 'urlPattern' | 'meta' | 'jsonLd' | 'selector';
type FieldRow = {
  readonly name: string;
  readonly type: MetadataField['type'];
  readonly label: string;
  readonly facet: boolean;
  readonly source: Source;
  readonly from: string;
};

const NEW_FIELD: FieldRow = { name: '', type: 'string', label: '', facet: true, source: 'none', from: '' };

function rowOf({ name, type, label = '', facet = false, from = {} }: MetadataField): Keyed<FieldRow> {
  const [[source, value] = ['none', '']] = Object.entries(from);
  return keyed({ name, type, label, facet, source: source as Source, from: String(value) });
}

function fieldOf({ name, type, label, facet, source, from }: FieldRow): MetadataField {
  return {
    name: name.trim(),
    type,
    ...(label.trim() !== '' && { label: label.trim() }),
    ...(facet && { facet }),
    ...(source !== 'none' && { from: { [source]: from.trim() } }),
  };
}

type Draft = { readonly fields: readonly Keyed<FieldRow>[] };
const draftOf = ({ metadataSchema }: Site): Draft => ({ fields: metadataSchema.map(rowOf) });
const bodyOf = ({ fields }: Draft) => ({ metadataSchema: fields.map(fieldOf) });

/** The fields of pages that can be filtered, and of which values are counted. */
export function FieldsSection({ site }: { readonly site: Site }) {
  const t = useSettingsTexts();
  const section = useSiteSection(site, draftOf, bodyOf);
  const { draft, set, errorAt } = section;
  const names = { metadataSchema: t.fields };
  return (
    <SectionForm section={section} id="fields" title={t.fields} lead={t.fieldsLead} names={names}>
      <RowsField<FieldRow>
        legend={t.fieldList}
        rows={draft.fields}
        onChange={(fields) => set({ fields })}
        newRow={() => NEW_FIELD}
        addText={t.addField}
        error={draft.fields.length === 0 ? errorAt('metadataSchema') : undefined}
      >
        {(row, change, index) => {
          const at = (name: string) => errorAt(`metadataSchema.${index}.${name}`);
          return (
            <>
              <TextField
                label={t.fieldName}
                value={row.name}
                onChange={(name) => change({ name })}
                error={at('name')}
                autoComplete="off"
                spellCheck={false}
              />
              <TextField
                label={t.fieldLabel}
                value={row.label}
                onChange={(label) => change({ label })}
                error={at('label')}
                autoComplete="off"
              />
              <Select
                label={t.fieldType}
                value={row.type}
                choices={t.fieldTypes}
                onChange={(type) => change({ type })}
                error={at('type')}
              />
              <Select
                label={t.fieldSource}
                value={row.source}
                choices={t.fieldSources}
                onChange={(source) => change({ source })}
              />
              {row.source !== 'none' && (
                <TextField
                  label={t.fieldFrom[row.source]}
                  value={row.from}
                  onChange={(from) => change({ from })}
                  error={at('from')}
                  placeholder={t.fieldExample[row.source]}
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
              <Checkbox label={t.fieldFacet} isChecked={row.facet} onChange={(facet) => change({ facet })} />
            </>
          );
        }}
      </RowsField>
    </SectionForm>
  );
}
