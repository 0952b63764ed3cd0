import type { Schemas } from '../api.ts';
import { Checkbox, TextArea } from '../components/field.tsx';
import { useFormTexts } from '../texts/forms.ts';
import type { ErrorAt } from './issues.ts';

type Told = { readonly mcp?: Schemas['Mcp'] };

export const agentsDraftOf = ({ mcp = {} }: Told) => ({
  description: mcp.description ?? '',
  answer: mcp.answer ?? false,
});
export type AgentsDraft = ReturnType<typeof agentsDraftOf>;
export const agentsBodyOf = ({ description, answer }: AgentsDraft) => ({
  mcp: { description: description.trim() || null, answer },
});

type Props = {
  readonly draft: AgentsDraft;
  readonly set: (changed: Partial<AgentsDraft>) => void;
  readonly errorAt: ErrorAt;
};

/** What agents are offered, of a site or a group. */
export function AgentFields({ draft, set, errorAt }: Props) {
  const t = useFormTexts();
  return (
    <>
      <TextArea
        label={t.agentNames['mcp.description']}
        hint={t.agentDescriptionHint}
        rows={2}
        value={draft.description}
        onChange={(description) => set({ description })}
        error={errorAt('mcp.description')}
      />
      <Checkbox
        label={t.agentNames['mcp.answer']}
        hint={t.agentAnswerHint}
        isChecked={draft.answer}
        onChange={(answer) => set({ answer })}
      />
    </>
  );
}
