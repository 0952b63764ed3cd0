import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, queryClient, type Schemas } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Card, Row, Stack } from '../../components/card.tsx';
import { Code } from '../../components/code.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Loaded } from '../../components/fault.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { say } from '../../components/toasts.tsx';
import { UnsavedGuard } from '../../forms/unsaved.tsx';
import { useGroupsTexts } from '../../texts/groups.ts';
import { GroupAccessForm, GroupAgentsForm, GroupForm, GroupLimitsForm } from './group-forms.tsx';
import { type Group, groupQuery, groupsQuery } from './groups-query.ts';

/** A group: its sites, who may search it, and the line that embeds it. */
export function GroupScreen() {
  const { groupId } = useParams({ from: '/groups/$groupId' });
  const t = useGroupsTexts();
  const query = useQuery(groupQuery(groupId));
  const save = async (body: Schemas['UpdateGroupRequest']) => {
    const group = await call('PUT /groups/{groupId}', { path: { groupId }, body });
    queryClient.setQueryData(groupQuery(groupId).queryKey, group);
    await queryClient.invalidateQueries({ queryKey: groupsQuery().queryKey, exact: true });
  };
  const load = () => queryClient.fetchQuery({ ...groupQuery(groupId), staleTime: 0 });
  return (
    <>
      <ScreenHeader title={query.data?.name ?? t.group} lead={<Link to="/groups">{t.allGroups}</Link>} />
      <Loaded query={query} skeleton={<Skeleton of="block" lines={4} />}>
        {(group) => (
          <Stack key={groupId}>
            <GroupForm group={group} load={load} save={save} />
            <GroupAccessForm group={group} load={load} save={save} />
            <GroupAgentsForm group={group} load={load} save={save} />
            <GroupLimitsForm group={group} load={load} save={save} />
            <Card title={t.embed} lead={t.embedLead}>
              <Code text={codeFor(group)} of={t.embedCode} />
            </Card>
            <DeleteGroup group={group} />
          </Stack>
        )}
      </Loaded>
      <UnsavedGuard />
    </>
  );
}

const codeFor = ({ groupId }: Group): string =>
  [
    `<script async src="${location.origin}/v1/site-search.js"></script>`,
    `<site-search-button group="${groupId}"></site-search-button>`,
  ].join('\n');

function DeleteGroup({ group: { groupId, name, siteIds } }: { readonly group: Group }) {
  const t = useGroupsTexts();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const remove = async () => {
    await call('DELETE /groups/{groupId}', { path: { groupId } });
    await navigate({ to: '/groups' });
    queryClient.removeQueries({ queryKey: groupQuery(groupId).queryKey });
    await queryClient.invalidateQueries({ queryKey: groupsQuery().queryKey });
    say(t.deleted(name));
  };
  return (
    <Card title={t.deleteGroup} lead={t.deleteLead}>
      <Row>
        <Button kind="danger" onClick={() => setOpen(true)}>
          {t.deleteGroup}
        </Button>
      </Row>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t.deleteTitle(name)}
        loss={<p>{t.deleteLoss(siteIds.length)}</p>}
        act={t.deleteGroup}
        onConfirm={remove}
      />
    </Card>
  );
}
