import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { call, organisationQuery, queryClient, type Schemas } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Stack } from '../../components/card.tsx';
import { Code } from '../../components/code.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Fault } from '../../components/fault.tsx';
import { Select, TextField } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { isAtFields, issuesIn } from '../../forms/issues.ts';
import type { Role } from '../../role.ts';
import { useKeysTexts } from '../../texts/keys.ts';
import { useShellTexts } from '../../texts/shell.ts';

const ROLES: readonly Role[] = ['member', 'admin', 'owner'];
const DAY_SECONDS = 86_400;
/** How long a key works, in days. */
type Lifetime = '30' | '90' | '365' | 'forever' | 'date';
type Created = Schemas['CreatedApiKey'];
type State = { readonly isBusy?: true; readonly error?: unknown; readonly created?: Created };

function endOf(lifetime: Lifetime, date: string): number | null {
  if (lifetime === 'forever') return null;
  // Without a day it is 0, which the service refuses.
  if (lifetime === 'date') return Math.floor((Date.parse(`${date}T23:59:59`) || 0) / 1000);
  return Math.floor(Date.now() / 1000) + Number(lifetime) * DAY_SECONDS;
}

type Props = { readonly isOpen: boolean; readonly onClose: () => void };

/** Makes a key, and shows it, once. */
export function NewKey({ isOpen, onClose }: Props) {
  const t = useKeysTexts();
  const shell = useShellTexts();
  const form = useId();
  const [{ isBusy, error, created }, setState] = useState<State>({});
  const close = () => {
    setState({});
    onClose();
  };
  const create = async (body: Schemas['CreateKeyRequest']) => {
    setState({ isBusy: true });
    try {
      setState({ created: await call('POST /keys', { body }) });
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
    } catch (caught) {
      setState({ error: caught });
    }
  };
  const kept = (
    <Button kind="primary" onClick={close}>
      {t.kept}
    </Button>
  );
  const buttons = (
    <>
      <Button onClick={close}>{shell.cancel}</Button>
      <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
        {t.create}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={created ? t.createdTitle(created.name) : t.create}
      description={created && <Notice tone="warn">{t.shownOnce}</Notice>}
      actions={created ? kept : buttons}
    >
      {created ? (
        <Code text={created.apiKey} of={t.secret} />
      ) : (
        <KeyForm id={form} error={error} onCreate={(body) => void create(body)} />
      )}
    </Dialog>
  );
}

type FormProps = {
  readonly id: string;
  readonly error: unknown;
  readonly onCreate: (body: Schemas['CreateKeyRequest']) => void;
};

function KeyForm({ id, error, onCreate }: FormProps) {
  const t = useKeysTexts();
  const shell = useShellTexts();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [lifetime, setLifetime] = useState<Lifetime>('365');
  const [date, setDate] = useState('');
  const ownRole = useQuery(organisationQuery()).data?.role ?? 'owner';
  const errorAt = issuesIn(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCreate({ name: name.trim(), role, expiresAt: endOf(lifetime, date) });
  };
  return (
    <form id={id} noValidate onSubmit={submit}>
      <Stack>
        <TextField
          label={t.name}
          hint={t.nameHint}
          value={name}
          onChange={setName}
          error={errorAt('name')}
          autoComplete="off"
        />
        <Select
          label={t.role}
          hint={t.roleHints[role]}
          value={role}
          choices={ROLES.slice(0, ROLES.indexOf(ownRole) + 1).map((value) => ({ value, label: value }))}
          onChange={setRole}
          error={errorAt('role')}
        />
        <Select
          label={t.expires}
          value={lifetime}
          choices={t.lifetimes}
          onChange={setLifetime}
          error={lifetime === 'date' ? undefined : errorAt('expiresAt')}
        />
        {lifetime === 'date' && (
          <TextField
            label={t.lastDay}
            type="date"
            value={date}
            onChange={setDate}
            error={date === '' && error !== undefined ? t.chooseDay : errorAt('expiresAt')}
          />
        )}
        {error !== undefined && !isAtFields(error, ['name', 'role', 'expiresAt']) && (
          <Fault error={error} title={shell.requestFailed} />
        )}
      </Stack>
    </form>
  );
}
