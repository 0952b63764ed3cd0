import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Stack } from '../../components/card.tsx';
import { type Boosts, boostsBodyOf, boostsDraftOf } from '../../forms/boost-rows.tsx';
import { useSettled } from '../../forms/use-settled.ts';
import { usePlaygroundTexts } from '../../texts/playground.ts';
import { type Site, useSiteSection } from '../settings/site-section.ts';
import type { PlaygroundAddress } from './address.ts';
import { BoostsPanel } from './boosts-panel.tsx';
import { filtersIn } from './filters.ts';
import styles from './playground.module.css';
import { type PreviewBody, previewQuery } from './preview-query.ts';
import { QueryForm } from './query-form.tsx';
import { ResultsSide } from './results-side.tsx';

const SHOWN = 10;

export function Playground({ site }: { readonly site: Site }) {
  const { siteId } = site;
  const t = usePlaygroundTexts();
  const address = useSearch({ from: '/sites/$siteId/playground' });
  const navigate = useNavigate({ from: '/sites/$siteId/playground' });
  const section = useSiteSection(site, boostsDraftOf, boostsBodyOf);
  const { isDirty } = section;
  const unsaved = useSettled(JSON.stringify(boostsBodyOf(section.draft)));
  const boosts = JSON.parse(unsaved) as Boosts;
  const saved = useSent(bodyOf(address), address);
  const tried = useSent(isDirty ? bodyOf(address, boosts) : undefined, address);
  const savedQuery = useQuery(previewQuery(siteId, saved.body));
  const triedQuery = useQuery(previewQuery(siteId, tried.body));
  const move = (changed: PlaygroundAddress) => void navigate({ search: { ...address, ...changed }, replace: true });
  return (
    <Stack>
      <QueryForm
        site={site}
        address={address}
        onMove={move}
        onAsk={() => {
          saved.send();
          tried.send();
        }}
      />
      <div className={styles.sides}>
        <BoostsPanel site={site} section={section} />
        <div className={styles.results}>
          <ResultsSide
            title={isDirty ? t.savedSide : t.results}
            site={site}
            mode={address.mode ?? 'search'}
            isBehind={saved.isBehind}
            body={saved.body}
            query={savedQuery}
          />
          {isDirty && (
            <ResultsSide
              title={t.unsavedSide}
              site={site}
              mode={address.mode ?? 'search'}
              isBehind={tried.isBehind}
              body={tried.body}
              query={triedQuery}
              before={savedQuery.data}
            />
          )}
        </div>
      </div>
    </Stack>
  );
}

function bodyOf({ q, mode, minScore, filters }: PlaygroundAddress, boosts?: Boosts): PreviewBody | undefined {
  if (q === undefined) return undefined;
  const chosen = filtersIn(filters);
  return {
    query: q,
    limit: SHOWN,
    ...(minScore !== undefined && { minScore: Number(minScore) }),
    ...(Object.keys(chosen).length > 0 && { filters: chosen }),
    ...(boosts && { tagBoosts: [...boosts.tagBoosts], urlBoosts: [...boosts.urlBoosts] }),
    ...(mode === 'chat' && { answer: true }),
  };
}

/** What is sent: a search follows each change; a question, whose answer may cost, is sent when somebody asks. */
function useSent(body: PreviewBody | undefined, { q, mode }: PlaygroundAddress) {
  const about = `${mode ?? 'search'} ${q ?? ''}`;
  const [asked, setAsked] = useState({ about, body });
  if (asked.about !== about) setAsked({ about, body }); // another question is sent at once
  const sent = mode === 'chat' ? asked.body : body;
  const isBehind = JSON.stringify(sent) !== JSON.stringify(body);
  return { body: sent, isBehind, send: () => setAsked({ about, body }) };
}
