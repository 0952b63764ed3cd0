import { Link } from '@tanstack/react-router';
import { BoostRows, boostsBodyOf, boostsDraftOf } from '../../forms/boost-rows.tsx';
import { SectionForm } from '../../forms/section-form.tsx';
import { useSettingsTexts } from '../../texts/settings.ts';
import { type Site, useSiteSection } from './site-section.ts';

/** Factors of the score by address and by tag. */
export function BoostsSection({ site }: { readonly site: Site }) {
  const t = useSettingsTexts();
  const section = useSiteSection(site, boostsDraftOf, boostsBodyOf);
  const { draft, set, errorAt } = section;
  const { siteId } = site;
  return (
    <SectionForm
      section={section}
      id="boosts"
      title={t.boosts}
      lead={
        <>
          {t.boostsLead}{' '}
          <Link to="/sites/$siteId/playground" params={{ siteId }}>
            {t.tryBoosts}
          </Link>
        </>
      }
      names={{ urlBoosts: t.urlBoosts, tagBoosts: t.tagBoosts }}
    >
      <BoostRows draft={draft} set={set} errorAt={errorAt} />
    </SectionForm>
  );
}
