import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, type Output } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { useFormats } from '../../formats.ts';
import { useOrganisationTexts } from '../../texts/organisation.ts';

type SiteFigure = Output<'GET /analytics'>['siteBreakdown'][number];

const RANGE = '30d';
const SHOWN = 20;

/** The sites with the most searches. */
export function SiteFigures() {
  const t = useOrganisationTexts();
  const { number } = useFormats();
  const query = useQuery({
    queryKey: ['analytics', RANGE],
    queryFn: ({ signal }) => call('GET /analytics', { query: { range: RANGE }, signal }),
  });
  return (
    <Card title={t.bySite} lead={t.bySiteLead(SHOWN)}>
      <Loaded query={query} skeleton={<Skeleton of="rows" lines={4} />}>
        {({ siteBreakdown }) => (
          <Table<SiteFigure>
            caption={t.bySite}
            keyOf={({ id }) => id}
            rows={siteBreakdown
              .toSorted((one, other) => other.searches + other.chats - one.searches - one.chats)
              .slice(0, SHOWN)}
            columns={[
              {
                name: t.site,
                kind: 'wide',
                value: ({ id, name }) => (
                  <Link to="/sites/$siteId/searches" params={{ siteId: id }}>
                    {name}
                  </Link>
                ),
              },
              { name: t.searches, kind: 'number', value: ({ searches }) => number(searches) },
              { name: t.questions, kind: 'number', value: ({ chats }) => number(chats) },
              { name: t.indexedPages, kind: 'number', value: ({ pagesIndexed }) => number(pagesIndexed) },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
