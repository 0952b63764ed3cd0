import type { Schemas } from '../api.ts';
import { TextField } from '../components/field.tsx';
import { useFormTexts } from '../texts/forms.ts';
import type { ErrorAt } from './issues.ts';
import { neededNumber } from './lines.ts';
import { type Keyed, keyed, RowsField } from './rows-field.tsx';

type UrlRow = { readonly urlPrefix: string; readonly boost: string };
type TagRow = { readonly tag: string; readonly boost: string };
export type BoostsDraft = {
  readonly urlBoosts: readonly Keyed<UrlRow>[];
  readonly tagBoosts: readonly Keyed<TagRow>[];
};
export type Boosts = {
  readonly urlBoosts: readonly Schemas['UrlBoost'][];
  readonly tagBoosts: readonly Schemas['TagBoost'][];
};

export const boostsDraftOf = ({ urlBoosts, tagBoosts }: Boosts): BoostsDraft => ({
  urlBoosts: urlBoosts.map(({ urlPrefix, boost }) => keyed({ urlPrefix, boost: String(boost) })),
  tagBoosts: tagBoosts.map(({ tag, boost }) => keyed({ tag, boost: String(boost) })),
});

export const boostsBodyOf = ({ urlBoosts, tagBoosts }: BoostsDraft) => ({
  urlBoosts: urlBoosts.map(({ urlPrefix, boost }) => ({ urlPrefix: urlPrefix.trim(), boost: factor(boost) })),
  tagBoosts: tagBoosts.map(({ tag, boost }) => ({ tag: tag.trim(), boost: factor(boost) })),
});

const factor = (text: string): number => neededNumber(text, NaN);

const MORE = '1.5';

type Props = {
  readonly draft: BoostsDraft;
  readonly set: (changed: Partial<BoostsDraft>) => void;
  readonly errorAt: ErrorAt;
};

/** The controls of boosts, of settings and of the playground. */
export function BoostRows({ draft, set, errorAt }: Props) {
  const t = useFormTexts();
  return (
    <>
      <RowsField<UrlRow>
        legend={t.urlBoosts}
        hint={t.urlBoostsHint}
        rows={draft.urlBoosts}
        onChange={(urlBoosts) => set({ urlBoosts })}
        newRow={() => ({ urlPrefix: '', boost: MORE })}
        addText={t.addUrlBoost}
        error={errorAt('urlBoosts')}
      >
        {({ urlPrefix, boost }, change) => (
          <>
            <TextField
              label={t.urlPrefix}
              value={urlPrefix}
              onChange={(next) => change({ urlPrefix: next })}
              placeholder="/docs/"
              autoComplete="off"
              spellCheck={false}
            />
            <FactorField value={boost} onChange={(next) => change({ boost: next })} />
          </>
        )}
      </RowsField>
      <RowsField<TagRow>
        legend={t.tagBoosts}
        hint={t.tagBoostsHint}
        rows={draft.tagBoosts}
        onChange={(tagBoosts) => set({ tagBoosts })}
        newRow={() => ({ tag: '', boost: MORE })}
        addText={t.addTagBoost}
        error={errorAt('tagBoosts')}
      >
        {({ tag, boost }, change) => (
          <>
            <TextField label={t.tag} value={tag} onChange={(next) => change({ tag: next })} autoComplete="off" />
            <FactorField value={boost} onChange={(next) => change({ boost: next })} />
          </>
        )}
      </RowsField>
    </>
  );
}

function FactorField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const t = useFormTexts();
  return <TextField label={t.factor} inputMode="decimal" value={value} onChange={onChange} autoComplete="off" />;
}
