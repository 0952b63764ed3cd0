import { useQuery } from '@tanstack/react-query';
import { BarList } from '../../charts/bar-list.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useFormats } from '../../formats.ts';
import { useSearchesTexts } from '../../texts/searches.ts';
import type { Range } from './address.ts';
import { type Analytics, topQueriesQuery } from './queries.ts';
import { QueryLink } from './query-link.tsx';

type TopProps = { readonly siteId: string; readonly range: Range; readonly entries: number };

/** The most frequent queries. */
export function TopQueries({ siteId, range, entries }: TopProps) {
  const t = useSearchesTexts();
  const { number } = useFormats();
  const query = useQuery(topQueriesQuery(siteId, range, entries));
  return (
    <Loaded query={query} skeleton={<Skeleton of="rows" lines={6} />}>
      {({ topQueries }) => (
        <BarList
          heading="h2"
          title={t.topQueries}
          nameHeading={t.query}
          valueHeading={t.searches}
          bars={topQueries.map(({ query: name, count }) => ({
            name,
            value: count,
            label: <QueryLink siteId={siteId} query={name} />,
          }))}
          format={number}
          empty={t.noQueries}
        />
      )}
    </Loaded>
  );
}

type NothingProps = { readonly siteId: string; readonly analytics: Analytics };

/** The queries that found no page. */
export function NothingFound({ siteId, analytics: { zeroResults } }: NothingProps) {
  const t = useSearchesTexts();
  const { number } = useFormats();
  return (
    <BarList
      heading="h2"
      title={t.nothingFound}
      note={t.nothingFoundNote}
      nameHeading={t.query}
      valueHeading={t.searches}
      bars={(zeroResults?.queries ?? []).map(({ query: name, count }) => ({
        name,
        value: count,
        label: <QueryLink siteId={siteId} query={name} />,
      }))}
      format={number}
      empty={t.everythingFound}
    />
  );
}
