import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { call, queryClient } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Stack } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Fault } from '../../components/fault.tsx';
import { TextField } from '../../components/field.tsx';
import { isAtFields, issuesIn } from '../../forms/issues.ts';
import { useGroupsTexts } from '../../texts/groups.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { groupsQuery } from './groups-query.ts';
import { SiteChoice } from './site-choice.tsx';

type Props = { readonly isOpen: boolean; readonly onClose: () => void };
type State = { readonly isBusy?: true; readonly error?: unknown };

/** Makes a group, and opens its screen. */
export function NewGroup({ isOpen, onClose }: Props) {
  const t = useGroupsTexts();
  const shell = useShellTexts();
  const navigate = useNavigate();
  const form = useId();
  const [name, setName] = useState('');
  const [siteIds, setSiteIds] = useState<readonly string[]>([]);
  const [{ isBusy, error }, setState] = useState<State>({});
  const errorAt = issuesIn(error);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    setState({ isBusy: true });
    try {
      const { groupId } = await call('POST /groups', { body: { name: name.trim(), siteIds: [...siteIds] } });
      await queryClient.invalidateQueries({ queryKey: groupsQuery().queryKey });
      await navigate({ to: '/groups/$groupId', params: { groupId } });
    } catch (caught) {
      setState({ error: caught });
    }
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t.create}
      actions={
        <>
          <Button onClick={onClose}>{shell.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            {t.create}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void create(event)}>
        <Stack>
          <TextField label={t.name} value={name} onChange={setName} error={errorAt('name')} autoComplete="off" />
          <SiteChoice chosen={siteIds} onChange={setSiteIds} error={errorAt('siteIds')} />
          {error !== undefined && !isAtFields(error, ['name', 'siteIds']) && (
            <Fault error={error} title={shell.requestFailed} />
          )}
        </Stack>
      </form>
    </Dialog>
  );
}
