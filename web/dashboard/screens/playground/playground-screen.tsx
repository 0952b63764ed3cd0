import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { siteQuery } from '../../api.ts';
import { Loaded } from '../../components/fault.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { UnsavedGuard } from '../../forms/unsaved.tsx';
import { usePlaygroundTexts } from '../../texts/playground.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { Playground } from './playground.tsx';

/** Searches and questions with boosts that are not saved, beside the saved ones. */
export function PlaygroundScreen() {
  const { siteId } = useParams({ from: '/sites/$siteId/playground' });
  const t = usePlaygroundTexts();
  const shell = useShellTexts();
  const query = useQuery(siteQuery(siteId));
  return (
    <>
      <ScreenHeader title={shell.playground} lead={query.data && t.lead(query.data.name)} />
      <Loaded query={query} skeleton={<Skeleton of="block" lines={4} />}>
        {(site) => <Playground key={siteId} site={site} />}
      </Loaded>
      <UnsavedGuard />
    </>
  );
}
