import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, type Schemas } from '../../api.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { Loaded } from '../../components/fault.tsx';
import { TextField } from '../../components/field.tsx';
import { Marked } from '../../components/marked.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useFormats } from '../../formats.ts';
import { useSiteTexts } from '../../texts/sites.ts';
import type { FirstSiteAddress } from './address.ts';
import styles from './first-site.module.css';

type SearchStepProps = { readonly site: Schemas['Site']; readonly address: FirstSiteAddress };

/** Searches the new site with the key, before it is public. */
export function SearchStep({ site, address }: SearchStepProps) {
  const t = useSiteTexts();
  const navigate = useNavigate();
  const { siteId } = site;
  const { q } = address;
  const [text, setText] = useState(q ?? '');
  const query = useQuery({
    queryKey: ['site', siteId, 'search', q],
    queryFn: ({ signal }) =>
      call('GET /public/sites/{siteId}/search', { path: { siteId }, query: { q: q ?? '', limit: 5 }, signal }),
    enabled: q !== undefined,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void navigate({ to: '/sites/new', search: { ...address, q: text.trim() }, replace: true });
  };
  return (
    <Card
      title={t.searchTitle}
      lead={t.searchLead}
      actions={
        <Link to="/sites/new" search={{ ...address, step: 'embed', q: undefined }} className={buttonClass('primary')}>
          {t.goEmbed}
        </Link>
      }
    >
      <Stack>
        <form className={styles.line} onSubmit={submit}>
          <TextField label={t.searchLabel} type="search" value={text} onChange={setText} />
          <Button type="submit">{t.searchButton}</Button>
        </form>
        {q !== undefined && (
          <Loaded query={query} skeleton={<Skeleton lines={6} />}>
            {(answer) => <Results answer={answer} />}
          </Loaded>
        )}
      </Stack>
    </Card>
  );
}

function Results({ answer }: { readonly answer: Schemas['SearchResponse'] }) {
  const t = useSiteTexts();
  const { number } = useFormats();
  const { results, totalResults, closest = [] } = answer;
  const none = closest.length > 0 ? t.searchClosest : t.searchNone;
  const shown = results.length > 0 ? results : closest;
  return (
    <Stack>
      <p role="status">{results.length > 0 ? t.searchResults(number(totalResults)) : none}</p>
      <ol className={styles.results}>
        {shown.map(({ url, title, snippet, highlights }) => (
          <li key={url}>
            <a href={url} rel="noreferrer">
              {title}
            </a>
            <p className={styles.address}>{url}</p>
            <p className={styles.snippet}>
              <Marked text={snippet} ranges={highlights} />
            </p>
          </li>
        ))}
      </ol>
    </Stack>
  );
}
