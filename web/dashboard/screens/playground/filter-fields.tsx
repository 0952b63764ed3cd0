import { useQuery } from '@tanstack/react-query';
import { call, type Output } from '../../api.ts';
import { Loaded } from '../../components/fault.tsx';
import { Select, TextField } from '../../components/field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { usePlaygroundTexts } from '../../texts/playground.ts';
import { type Filters, withFilter } from './filters.ts';
import styles from './playground.module.css';

type Facet = Output<'GET /public/sites/{siteId}/facets'>['facets'][number];
type Props = {
  readonly siteId: string;
  readonly filters: Filters;
  readonly onChange: (filters: string | undefined) => void;
};
type FieldProps = Omit<Props, 'siteId'> & { readonly facet: Facet };

/** Filters by address and by each facet of the site. */
export function FilterFields({ siteId, filters, onChange }: Props) {
  const t = usePlaygroundTexts();
  const query = useQuery({
    queryKey: ['site', siteId, 'facets'],
    queryFn: ({ signal }) => call('GET /public/sites/{siteId}/facets', { path: { siteId }, signal }),
  });
  const { url } = filters;
  const prefix = typeof url === 'object' && 'prefix' in url ? url.prefix : '';
  return (
    <div className={styles.filters}>
      <TextField
        label={t.urlPrefix}
        value={prefix}
        onChange={(text) => onChange(withFilter(filters, 'url', text === '' ? undefined : { prefix: text }))}
        placeholder="/docs/"
        autoComplete="off"
        spellCheck={false}
      />
      <Loaded query={query} skeleton={<Skeleton lines={1} />}>
        {({ facets }) => (
          <div className={styles.facets}>
            {facets.map((facet) =>
              facet.type === 'string' ? (
                <ValueFilter key={facet.name} facet={facet} filters={filters} onChange={onChange} />
              ) : (
                <RangeFilter key={facet.name} facet={facet} filters={filters} onChange={onChange} />
              ),
            )}
          </div>
        )}
      </Loaded>
    </div>
  );
}

function ValueFilter({ facet, filters, onChange }: FieldProps) {
  const t = usePlaygroundTexts();
  if (facet.type !== 'string') return null;
  const { name, label, values } = facet;
  const chosen = filters[name];
  const value = typeof chosen === 'string' ? chosen : '';
  return (
    <Select
      label={label}
      value={value}
      choices={[
        { value: '', label: t.anyValue },
        ...values.map((one) => ({ value: one.value, label: `${one.value} (${one.count})` })),
      ]}
      onChange={(next) => onChange(withFilter(filters, name, next === '' ? undefined : next))}
    />
  );
}

function RangeFilter({ facet, filters, onChange }: FieldProps) {
  const t = usePlaygroundTexts();
  if (facet.type === 'string') return null;
  const { name, label, type, min, max } = facet;
  const chosen = filters[name];
  const range: { gte?: string | number; lte?: string | number } =
    typeof chosen === 'object' && ('gte' in chosen || 'lte' in chosen) ? chosen : {};
  const set = (bound: 'gte' | 'lte', text: string) => {
    const { [bound]: _, ...other } = range;
    const next = text === '' ? other : { ...other, [bound]: type === 'number' ? Number(text) : text };
    onChange(withFilter(filters, name, Object.keys(next).length === 0 ? undefined : next));
  };
  return (
    <>
      {(['gte', 'lte'] as const).map((bound) => (
        <TextField
          key={bound}
          label={bound === 'gte' ? t.from(label) : t.to(label)}
          type={type === 'number' ? 'number' : 'date'}
          value={String(range[bound] ?? '')}
          placeholder={String(bound === 'gte' ? min : max)}
          onChange={(text) => set(bound, text)}
        />
      ))}
    </>
  );
}
