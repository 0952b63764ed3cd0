import type { Output } from '../../api.ts';
import { ColumnChart } from '../../charts/column-chart.tsx';
import { Columns, Figures, Stack } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Table } from '../../components/table.tsx';
import { useFormats } from '../../formats.ts';
import { useOrganisationTexts } from '../../texts/organisation.ts';
import { daysOfMonth } from './months.ts';

type Usage = Output<'GET /usage'>;
type Model = Usage['ai']['models'][number];

/** What models and searches of a month were used for, and what it cost. */
export function UsageView({ usage }: { readonly usage: Usage }) {
  const { ai, searches, vectorDb } = usage;
  const t = useOrganisationTexts();
  const { number } = useFormats();
  return (
    <Stack>
      <Figures
        figures={[
          { name: t.cost, value: t.dollars(ai.estimatedCost), note: t.costNote },
          { name: t.tokens, value: number(ai.totalTokens), note: t.tokensNote(number(ai.savedTokens ?? 0)) },
          { name: t.requests, value: number(ai.totalRequests) },
          { name: t.searches, value: number(searches.total) },
          { name: t.questions, value: number(searches.chat) },
          { name: t.indexedPages, value: number(vectorDb.totalDocuments), note: t.inSites(vectorDb.totalCollections) },
        ]}
      />
      {ai.totalRequests === 0 && <Empty title={t.noCalls} />}
      {ai.totalRequests > 0 && (
        <Columns>
          <DayCharts usage={usage} />
        </Columns>
      )}
      {ai.models.length > 0 && <Models models={ai.models} />}
    </Stack>
  );
}

function DayCharts({ usage: { month, ai } }: { readonly usage: Usage }) {
  const t = useOrganisationTexts();
  const { number, date } = useFormats();
  const days = daysOfMonth(month);
  const sumOn = (day: string, of: 'estimatedCost' | 'tokens') =>
    (ai.days ?? []).filter((one) => one.date === day).reduce((sum, one) => sum + one[of], 0);
  const labels = days.map((day) => date(Date.parse(day) / 1000));
  const shortLabels = days.map((day) => String(Number(day.slice(-2))));
  const common = { labelName: t.day, labels, shortLabels };
  return (
    <>
      <ColumnChart
        {...common}
        title={t.costByDay}
        name={t.cost}
        values={days.map((day) => sumOn(day, 'estimatedCost'))}
        format={t.dollars}
      />
      <ColumnChart
        {...common}
        title={t.tokensByDay}
        name={t.tokens}
        values={days.map((day) => sumOn(day, 'tokens'))}
        format={number}
        isWhole
      />
    </>
  );
}

function Models({ models }: { readonly models: readonly Model[] }) {
  const t = useOrganisationTexts();
  const { number } = useFormats();
  return (
    <Table<Model>
      caption={t.byModel}
      keyOf={({ model }) => model}
      rows={models}
      columns={[
        { name: t.model, kind: 'wide', value: ({ model }) => model },
        { name: t.requests, kind: 'number', value: ({ requests }) => number(requests) },
        { name: t.inputTokens, kind: 'number', value: ({ inputTokens }) => number(inputTokens) },
        { name: t.outputTokens, kind: 'number', value: ({ outputTokens }) => number(outputTokens) },
        {
          name: t.cost,
          kind: 'number',
          value: ({ estimatedCost }) => (estimatedCost === null ? t.unknownPrice : t.dollars(estimatedCost)),
        },
      ]}
    />
  );
}
