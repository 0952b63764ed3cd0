import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call, queryClient } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Notice } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { say } from '../../components/toasts.tsx';
import { useRefusal } from '../../role.ts';
import { useKeysTexts } from '../../texts/keys.ts';
import { useShellTexts } from '../../texts/shell.ts';
import { type ApiKey, keysQuery, ownKeyId, stateOf } from './keys-query.ts';
import { NewKey } from './new-key.tsx';

/** The API keys of the organisation. */
export function KeysScreen() {
  const t = useKeysTexts();
  const shell = useShellTexts();
  const refusal = useRefusal()('admin');
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)} refusal={refusal}>
      {t.create}
    </Button>
  );
  return (
    <>
      <ScreenHeader title={shell.keys} lead={t.lead} actions={create} />
      <Stack>
        <Notice>{t.whereKeysBelong}</Notice>
        {refusal === undefined && <KeyList />}
      </Stack>
      <NewKey isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

function KeyList() {
  const { cursor } = useSearch({ from: '/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const t = useKeysTexts();
  const [revoked, setRevoked] = useState<ApiKey>();
  const query = useQuery(keysQuery(cursor));
  return (
    <Card>
      <Loaded query={query} skeleton={<Skeleton of="rows" lines={4} />}>
        {({ keys, nextCursor }) => (
          <Stack>
            <KeyTable keys={keys} onRevoke={setRevoked} />
            <Pager
              cursor={cursor}
              nextCursor={nextCursor}
              onMove={(next) => void navigate({ search: next === undefined ? {} : { cursor: next } })}
            />
          </Stack>
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t.revokeTitle(revoked?.name ?? '')}
        loss={revoked && <Consequence of={revoked} />}
        act={t.revoke}
        onConfirm={async () => {
          if (!revoked) return;
          await call('DELETE /keys/{keyId}', { path: { keyId: revoked.keyId } });
          await queryClient.invalidateQueries({ queryKey: ['keys'] });
          say(t.revoked(revoked.name));
        }}
      />
    </Card>
  );
}

type TableProps = { readonly keys: readonly ApiKey[]; readonly onRevoke: (key: ApiKey) => void };

function KeyTable({ keys, onRevoke }: TableProps) {
  const t = useKeysTexts();
  const own = ownKeyId();
  const tones = { active: 'good', expired: 'calm', revoked: 'calm' } as const;
  return (
    <Table<ApiKey>
      caption={t.caption}
      keyOf={({ keyId }) => keyId}
      rows={keys}
      columns={[
        { name: t.name, value: ({ name, keyId }) => (keyId === own ? t.ownKey(name) : name) },
        { name: t.ends, value: ({ hint }) => <code>…{hint}</code> },
        { name: t.role, value: ({ role }) => role },
        {
          name: t.state,
          value: (key) => <StatusBadge tone={tones[stateOf(key)]}>{t.states[stateOf(key)]}</StatusBadge>,
        },
        { name: t.created, value: ({ createdAt }) => <Time seconds={createdAt} /> },
        {
          name: t.lastUsed,
          value: ({ lastUsedAt }) => (lastUsedAt === null ? t.never : <Time seconds={lastUsedAt} />),
        },
        { name: t.expires, value: ({ expiresAt }) => (expiresAt === null ? t.never : <Time seconds={expiresAt} />) },
        {
          name: t.actions,
          kind: 'actions',
          value: (key) =>
            stateOf(key) !== 'revoked' && (
              <Button kind="quiet" onClick={() => onRevoke(key)} aria-label={`${t.revoke}: ${key.name}`}>
                {t.revoke}
              </Button>
            ),
        },
      ]}
    />
  );
}

function Consequence({ of: { keyId, hint, lastUsedAt } }: { readonly of: ApiKey }) {
  const t = useKeysTexts();
  return (
    <>
      <p>{t.revokeLoss(hint)}</p>
      <p>
        {lastUsedAt === null ? (
          t.neverUsed
        ) : (
          <>
            {t.wasUsed} <Time seconds={lastUsedAt} />.
          </>
        )}
      </p>
      {keyId === ownKeyId() && <Notice tone="warn">{t.revokeOwn}</Notice>}
    </>
  );
}
