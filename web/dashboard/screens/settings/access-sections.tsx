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
import { useFormTexts } from '../../texts/forms.ts';
import { useSettingsTexts } from '../../texts/settings.ts';
import { type Site, useSiteSection } from './site-section.ts';

export function AccessSection({ site }: { readonly site: Site }) {
  const t = useSettingsTexts();
  const names = useFormTexts().accessNames;
  const section = useSiteSection(site, accessDraftOf, accessBodyOf);
  return (
    <SectionForm section={section} id="access" title={t.access} lead={t.accessLead} names={names}>
      <AccessFields {...section} />
    </SectionForm>
  );
}

export function AgentsSection({ site }: { readonly site: Site }) {
  const t = useSettingsTexts();
  const { agentNames } = useFormTexts();
  const section = useSiteSection(site, agentsDraftOf, agentsBodyOf);
  return (
    <SectionForm section={section} id="agents" title={t.agents} lead={t.agentsLead} names={agentNames}>
      <AgentFields {...section} />
    </SectionForm>
  );
}

export function LimitsSection({ site }: { readonly site: Site }) {
  const t = useSettingsTexts();
  const { limitNames } = useFormTexts();
  const names = Object.fromEntries(Object.entries(limitNames).map(([name, label]) => [`rateLimits.${name}`, label]));
  const section = useSiteSection(site, limitsDraftOf, limitsBodyOf);
  return (
    <SectionForm section={section} id="limits" title={t.limits} lead={t.limitsLead} names={names}>
      <LimitFields {...section} />
    </SectionForm>
  );
}
