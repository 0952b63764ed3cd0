import type { Schemas } from '../../api.ts';
import { TextArea, TextField } from '../../components/field.tsx';
import { AgentFields, agentsBodyOf, agentsDraftOf } from '../../forms/agents.tsx';
import {
  AccessFields,
  accessBodyOf,
  accessDraftOf,
  LimitFields,
  limitsBodyOf,
  limitsDraftOf,
} from '../../forms/public-access.tsx';
import { SectionForm } from '../../forms/section-form.tsx';
import { useSection } from '../../forms/use-section.ts';
import { useFormTexts } from '../../texts/forms.ts';
import { useGroupsTexts } from '../../texts/groups.ts';
import type { Group } from './groups-query.ts';
import { SiteChoice } from './site-choice.tsx';

type Props = {
  readonly group: Group;
  readonly load: () => Promise<Group>;
  readonly save: (changes: Schemas['UpdateGroupRequest']) => Promise<void>;
};

type Draft = { readonly name: string; readonly description: string; readonly siteIds: readonly string[] };
const draftOf = ({ name, description = '', siteIds }: Group): Draft => ({ name, description, siteIds });
const bodyOf = ({ name, description, siteIds }: Draft) => ({
  name: name.trim(),
  description: description.trim() || null,
  siteIds: siteIds.toSorted(),
});

export function GroupForm({ group, load, save }: Props) {
  const t = useGroupsTexts();
  const section = useSection({ stored: group, draftOf, bodyOf, load, save });
  const { draft, set, errorAt } = section;
  const names = { name: t.name, description: t.description, siteIds: t.sites };
  return (
    <SectionForm section={section} id="general" title={t.general} names={names}>
      <TextField
        label={t.name}
        value={draft.name}
        onChange={(name) => set({ name })}
        error={errorAt('name')}
        autoComplete="off"
      />
      <TextArea
        label={t.description}
        rows={2}
        value={draft.description}
        onChange={(description) => set({ description })}
        error={errorAt('description')}
      />
      <SiteChoice chosen={draft.siteIds} onChange={(siteIds) => set({ siteIds })} error={errorAt('siteIds')} />
    </SectionForm>
  );
}

export function GroupAccessForm({ group, load, save }: Props) {
  const t = useGroupsTexts();
  const names = useFormTexts().accessNames;
  const section = useSection({ stored: group, draftOf: accessDraftOf, bodyOf: accessBodyOf, load, save });
  return (
    <SectionForm section={section} id="access" title={t.access} lead={t.accessLead} names={names}>
      <AccessFields {...section} />
    </SectionForm>
  );
}

export function GroupAgentsForm({ group, load, save }: Props) {
  const t = useGroupsTexts();
  const { agentNames } = useFormTexts();
  const section = useSection({ stored: group, draftOf: agentsDraftOf, bodyOf: agentsBodyOf, load, save });
  return (
    <SectionForm section={section} id="agents" title={t.agents} names={agentNames}>
      <AgentFields {...section} />
    </SectionForm>
  );
}

export function GroupLimitsForm({ group, load, save }: Props) {
  const t = useGroupsTexts();
  const { limitNames } = useFormTexts();
  const names = Object.fromEntries(Object.entries(limitNames).map(([name, label]) => [`rateLimits.${name}`, label]));
  const section = useSection({ stored: group, draftOf: limitsDraftOf, bodyOf: limitsBodyOf, load, save });
  return (
    <SectionForm section={section} id="limits" title={t.limits} names={names}>
      <LimitFields {...section} />
    </SectionForm>
  );
}
