import { BarList } from '../../charts/bar-list.tsx';
import { Card, Figures, Stack } from '../../components/card.tsx';
import { useFormats } from '../../formats.ts';
import { useSearchesTexts } from '../../texts/searches.ts';
import type { Analytics } from './queries.ts';
import { QueryLink } from './query-link.tsx';

type Props = { readonly siteId: string; readonly analytics: Analytics };

/** What AI agents did, which counts apart from people. Nothing if none came. */
export function Agents({ siteId, analytics: { agents } }: Props) {
  const t = useSearchesTexts();
  const { number } = useFormats();
  if (!agents || agents.searches + agents.pagesRead + agents.answers === 0) return null;
  return (
    <Card title={t.agents} lead={t.agentsLead}>
      <Stack>
        <Figures
          figures={[
            { name: t.searches, value: number(agents.searches) },
            { name: t.nothingFound, value: number(agents.noResults) },
            { name: t.pagesRead, value: number(agents.pagesRead) },
            { name: t.questions, value: number(agents.answers) },
            { name: t.helpful, value: number(agents.helpful) },
            { name: t.unhelpful, value: number(agents.unhelpful) },
          ]}
        />
        <BarList
          title={t.agentQueries}
          nameHeading={t.query}
          valueHeading={t.searches}
          bars={agents.topQueries.map(({ query, count }) => ({
            name: query,
            value: count,
            label: <QueryLink siteId={siteId} query={query} />,
          }))}
          format={number}
          empty={t.noQueries}
        />
      </Stack>
    </Card>
  );
}
