import { Select, TextField } from '../../components/field.tsx';
import { useEmbedTexts } from '../../texts/embed.ts';
import { ANSWERS, CHAT_MODES, type EmbedAddress, LANGUAGES, THEMES, type Widget } from './address.ts';
import styles from './embed.module.css';
import { attributeNames } from './widget-code.ts';

const CHOICES = { theme: THEMES, lang: LANGUAGES, answers: ANSWERS, mode: CHAT_MODES } as const;
const isChoice = (name: keyof EmbedAddress): name is keyof typeof CHOICES => name in CHOICES;

type Props = {
  readonly widget: Widget;
  readonly address: EmbedAddress;
  readonly onChange: (changed: EmbedAddress) => void;
};

/** The attributes of a widget. */
export function WidgetOptions({ widget, address, onChange }: Props) {
  const t = useEmbedTexts();
  return (
    <div className={styles.options}>
      {attributeNames(widget).map((name) => {
        if (name === 'widget') return null;
        const { label, hint } = t.attributes[name];
        if (!isChoice(name))
          return (
            <TextField
              key={name}
              label={label}
              hint={hint}
              value={address[name] ?? ''}
              onChange={(text) => onChange({ [name]: text === '' ? undefined : text })}
              autoComplete="off"
            />
          );
        const names: Readonly<Record<string, string>> = t.values[name];
        const values: readonly string[] = CHOICES[name];
        return (
          <Select
            key={name}
            label={label}
            hint={hint}
            value={address[name] ?? ''}
            choices={[
              { value: '', label: t.defaults[name] },
              ...values.map((value) => ({ value, label: names[value] ?? value })),
            ]}
            onChange={(value) => onChange({ [name]: value === '' ? undefined : value })}
          />
        );
      })}
    </div>
  );
}
