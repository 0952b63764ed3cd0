import { BarList } from '../../charts/bar-list.tsx';
import { LineChart } from '../../charts/line-chart.tsx';
import { Card, Figures, Stack } from '../../components/card.tsx';
import { useFormats } from '../../formats.ts';
import { useSearchesTexts } from '../../texts/searches.ts';
import { Agents } from './agents.tsx';
import type { Analytics } from './queries.ts';
import { QueryLink } from './query-link.tsx';
import styles from './searches.module.css';

type Props = { readonly siteId: string; readonly analytics: Analytics };

/** Answers that were bad: questions that pages do not answer, and what visitors said. */
export function Answers({ siteId, analytics }: Props) {
  const { refusals, feedback, dailyUsage, dailyOutcomes = [] } = analytics;
  const t = useSearchesTexts();
  const { number, date } = useFormats();
  return (
    <Stack>
      <Card title={t.badAnswers} lead={t.badAnswersLead}>
        <Stack>
          <Figures
            figures={[
              { name: t.helpful, value: number(feedback?.helpful ?? 0) },
              { name: t.unhelpful, value: number(feedback?.unhelpful ?? 0) },
              { name: t.notAnswered, value: number(refusals?.chats ?? 0) },
            ]}
          />
          <div className={styles.lists}>
            <LineChart
              title={t.answersByDay}
              labelName={t.day}
              labels={dailyOutcomes.map((day) => date(Date.parse(day.date) / 1000))}
              shortLabels={dailyOutcomes.map((day) => t.shortDay(day.date))}
              series={[
                { name: t.questions, values: dailyUsage.map(({ chats }) => chats) },
                { name: t.notAnswered, values: dailyOutcomes.map(({ refusals: refused }) => refused) },
                { name: t.unhelpful, values: dailyOutcomes.map(({ unhelpful }) => unhelpful) },
              ]}
              format={number}
              isWhole
            />
            <BarList
              title={t.refusedQuestions}
              nameHeading={t.question}
              valueHeading={t.times}
              bars={(refusals?.questions ?? []).map(({ query, count }) => ({
                name: query,
                value: count,
                label: <QueryLink siteId={siteId} query={query} isQuestion />,
              }))}
              format={number}
              empty={t.allAnswered}
            />
          </div>
        </Stack>
      </Card>
      <Agents siteId={siteId} analytics={analytics} />
    </Stack>
  );
}
