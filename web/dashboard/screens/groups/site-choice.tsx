import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sitesQuery } from '../../api.ts';
import { Loaded } from '../../components/fault.tsx';
import { Checkbox, TextField } from '../../components/field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useGroupsTexts } from '../../texts/groups.ts';
import styles from './groups.module.css';

/** An organisation may have 1,000 sites. From this number on they can be filtered by name. */
const MANY = 10;
const SHOWN = 100;

type Props = {
  readonly chosen: readonly string[];
  readonly onChange: (siteIds: readonly string[]) => void;
  readonly error: string | undefined;
};

/** The sites of a group, among those of the organisation. */
export function SiteChoice({ chosen, onChange, error }: Props) {
  const t = useGroupsTexts();
  const [filter, setFilter] = useState('');
  const [first] = useState(() => new Set(chosen));
  return (
    <fieldset className={styles.choice}>
      <legend>{t.sitesOf(chosen.length)}</legend>
      <Loaded query={useQuery(sitesQuery())} skeleton={<Skeleton of="rows" lines={3} />}>
        {({ sites }) => {
          const wanted = filter.trim().toLowerCase();
          const found = sites
            .filter(({ name, baseUrl }) => `${name} ${baseUrl}`.toLowerCase().includes(wanted))
            .toSorted((one, other) => Number(first.has(other.siteId)) - Number(first.has(one.siteId)));
          return (
            <>
              {sites.length >= MANY && (
                <TextField label={t.filterSites} type="search" value={filter} onChange={setFilter} />
              )}
              <div className={styles.sites}>
                {found.slice(0, SHOWN).map(({ siteId, name, baseUrl }) => (
                  <Checkbox
                    key={siteId}
                    label={name}
                    hint={baseUrl}
                    isChecked={chosen.includes(siteId)}
                    onChange={(isChecked) =>
                      onChange(isChecked ? [...chosen, siteId] : chosen.filter((one) => one !== siteId))
                    }
                  />
                ))}
              </div>
              {found.length > SHOWN && <p>{t.moreSites(found.length - SHOWN)}</p>}
            </>
          );
        }}
      </Loaded>
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
