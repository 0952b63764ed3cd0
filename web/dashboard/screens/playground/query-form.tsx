import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Select, TextField } from '../../components/field.tsx';
import { usePlaygroundTexts } from '../../texts/playground.ts';
import type { Site } from '../settings/site-section.ts';
import { MODES, type PlaygroundAddress } from './address.ts';
import { FilterFields } from './filter-fields.tsx';
import { filtersIn } from './filters.ts';
import styles from './playground.module.css';

const MIN_SCORES = ['0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7'];
const DEFAULT_MIN_SCORE = '0.3';

type Props = {
  readonly site: Site;
  readonly address: PlaygroundAddress;
  readonly onMove: (changed: PlaygroundAddress) => void;
  /** The same question is asked again. */
  readonly onAsk: () => void;
};

/** The query with its options, all of which are in the address. */
export function QueryForm({ site, address, onMove, onAsk }: Props) {
  const { q = '', mode = 'search', minScore = DEFAULT_MIN_SCORE, filters } = address;
  const t = usePlaygroundTexts();
  const [typed, setTyped] = useState({ q, text: q });
  if (typed.q !== q) setTyped({ q, text: q }); // the address has changed: by the button “back”, for example
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = typed.text.trim();
    if (text === q) onAsk();
    else onMove({ q: text });
  };
  const scores = MIN_SCORES.includes(minScore) ? MIN_SCORES : [...MIN_SCORES, minScore];
  return (
    <Card>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.query}>
          <TextField
            label={mode === 'chat' ? t.question : t.query}
            type="search"
            value={typed.text}
            onChange={(text) => setTyped({ q, text })}
            autoComplete="off"
          />
          <Select
            label={t.mode}
            value={mode}
            choices={MODES.map((value) => ({ value, label: t.modes[value] }))}
            onChange={(next) => onMove({ mode: next === 'search' ? undefined : next })}
          />
          <Button type="submit" kind="primary">
            {mode === 'chat' ? t.ask : t.search}
          </Button>
        </div>
        <details open={filters !== undefined || minScore !== DEFAULT_MIN_SCORE}>
          <summary className={styles.summary}>{t.options}</summary>
          <div className={styles.options}>
            <Select
              label={t.minScore}
              hint={t.minScoreHint}
              value={minScore}
              choices={scores.map((value) => ({ value, label: value }))}
              onChange={(next) => onMove({ minScore: next === DEFAULT_MIN_SCORE ? undefined : next })}
            />
            <FilterFields
              siteId={site.siteId}
              filters={filtersIn(filters)}
              onChange={(next) => onMove({ filters: next })}
            />
          </div>
        </details>
      </form>
    </Card>
  );
}
