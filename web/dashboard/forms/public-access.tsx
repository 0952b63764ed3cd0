import type { Schemas } from '../api.ts';
import { Checkbox, TextArea, TextField } from '../components/field.tsx';
import { useFormTexts } from '../texts/forms.ts';
import styles from './forms.module.css';
import type { ErrorAt } from './issues.ts';
import { linesOf, neededNumber, numberIn, textOf } from './lines.ts';

type PublicAccess = Schemas['PublicAccess'];
type RateLimits = Schemas['RateLimits'];
type Open = { readonly publicAccess: PublicAccess };
type Limited = { readonly rateLimits: RateLimits };

export const accessDraftOf = ({ publicAccess }: Open) => ({
  ...publicAccess,
  mcpEnabled: publicAccess.mcpEnabled ?? false,
  allowedDomains: textOf(publicAccess.allowedDomains),
  sessionTTLMinutes: String(publicAccess.sessionTTLMinutes),
});
export type AccessDraft = ReturnType<typeof accessDraftOf>;
export const accessBodyOf = ({ allowedDomains, sessionTTLMinutes, ...flags }: AccessDraft) => ({
  publicAccess: {
    ...flags,
    allowedDomains: [...linesOf(allowedDomains)],
    sessionTTLMinutes: neededNumber(sessionTTLMinutes, NaN),
  },
});

const FLAGS = ['enabled', 'searchEnabled', 'chatEnabled', 'mcpEnabled', 'anonymousSessions'] as const;

type AccessProps = {
  readonly draft: AccessDraft;
  readonly set: (changed: Partial<AccessDraft>) => void;
  readonly errorAt: ErrorAt;
};

/** Who may search and ask, of a site or a group. */
export function AccessFields({ draft, set, errorAt }: AccessProps) {
  const t = useFormTexts();
  return (
    <>
      {FLAGS.map((name) => (
        <Checkbox
          key={name}
          label={t.accessFlags[name]}
          hint={t.accessHints[name]}
          isChecked={draft[name]}
          onChange={(isChecked) => set({ [name]: isChecked })}
        />
      ))}
      <TextArea
        className={styles.mono}
        label={t.allowedDomains}
        hint={t.allowedDomainsHint}
        rows={3}
        value={draft.allowedDomains}
        onChange={(allowedDomains) => set({ allowedDomains })}
        error={errorAt('publicAccess.allowedDomains')}
        placeholder="www.example.com"
        spellCheck={false}
      />
      <TextField
        label={t.sessionTTL}
        inputMode="numeric"
        value={draft.sessionTTLMinutes}
        onChange={(sessionTTLMinutes) => set({ sessionTTLMinutes })}
        error={errorAt('publicAccess.sessionTTLMinutes')}
        autoComplete="off"
      />
    </>
  );
}

const shown = (value: number | undefined): string => (value === undefined ? '' : String(value));

export const limitsDraftOf = ({ rateLimits }: Limited) => ({
  searchPerMinute: shown(rateLimits.searchPerMinute),
  chatPerMinute: shown(rateLimits.chatPerMinute),
  perIpPerMinute: shown(rateLimits.perIpPerMinute),
});
export type LimitsDraft = ReturnType<typeof limitsDraftOf>;
export const limitsBodyOf = ({ searchPerMinute, chatPerMinute, perIpPerMinute }: LimitsDraft) => ({
  rateLimits: {
    searchPerMinute: numberIn(searchPerMinute),
    chatPerMinute: numberIn(chatPerMinute),
    perIpPerMinute: numberIn(perIpPerMinute),
  },
});

type LimitsProps = {
  readonly draft: LimitsDraft;
  readonly set: (changed: Partial<LimitsDraft>) => void;
  readonly errorAt: ErrorAt;
};

/** How often visitors may search and ask, of a site or a group. */
export function LimitFields({ draft, set, errorAt }: LimitsProps) {
  const t = useFormTexts();
  return (
    <div className={styles.columns}>
      {(['searchPerMinute', 'chatPerMinute', 'perIpPerMinute'] as const).map((name) => (
        <TextField
          key={name}
          label={t.limitNames[name]}
          hint={t.limitHints[name]}
          inputMode="numeric"
          value={draft[name]}
          onChange={(value) => set({ [name]: value })}
          error={errorAt(`rateLimits.${name}`)}
          autoComplete="off"
        />
      ))}
    </div>
  );
}
