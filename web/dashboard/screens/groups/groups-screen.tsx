import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SearchError } from '../../../../packages/client/src/search-error.ts';
import { sitesQuery } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/fault.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import { useGroupsTexts } from '../../texts/groups.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { type Group, groupsQuery } from './groups-query.ts';
import { NewGroup } from './new-group.tsx';

/** The groups of sites that are searched together. */
export function GroupsScreen() {
  const t = useGroupsTexts();
  const shell = useShellTexts();
  const [isCreating, setCreating] = useState(false);
  const query = useQuery(groupsQuery());
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  );
  return (
    <>
      <ScreenHeader title={shell.groups} lead={t.lead} actions={!query.error && create} />
      <Card>
        {isNotInPlan(query.error) ? (
          <Empty title={t.notInPlan}>
            <p>{query.error?.message}</p>
          </Empty>
        ) : (
          <Loaded query={query} skeleton={<Skeleton of="rows" lines={3} />}>
            {({ groups }) => (groups.length === 0 ? <Empty title={t.none} /> : <GroupTable groups={groups} />)}
          </Loaded>
        )}
      </Card>
      <NewGroup isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

const isNotInPlan = (error: unknown): boolean => error instanceof SearchError && error.code === 'plan_required';

function GroupTable({ groups }: { readonly groups: readonly Group[] }) {
  const t = useGroupsTexts();
  const sites = useQuery(sitesQuery()).data?.sites ?? [];
  const nameOf = (siteId: string) => sites.find((site) => site.siteId === siteId)?.name ?? siteId;
  return (
    <Table<Group>
      caption={t.caption}
      keyOf={({ groupId }) => groupId}
      rows={groups}
      columns={[
        {
          name: t.name,
          value: ({ groupId, name }) => (
            <Link to="/groups/$groupId" params={{ groupId }}>
              {name}
            </Link>
          ),
        },
        { name: t.sites, kind: 'wide', value: ({ siteIds }) => t.listOf(siteIds.map(nameOf)) },
        {
          name: t.access,
          value: ({ publicAccess: { enabled } }) => (
            <StatusBadge tone={enabled ? 'good' : 'calm'}>{enabled ? t.isOpen : t.isClosed}</StatusBadge>
          ),
        },
      ]}
    />
  );
}
