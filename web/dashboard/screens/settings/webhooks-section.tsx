import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, queryClient, type Schemas } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Card, Row, Stack } from '../../components/card.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Fault, Loaded } from '../../components/fault.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useRefusal } from '../../role.ts';
import { useSettingsTexts } from '../../texts/settings.ts';
import { NewWebhook } from './new-webhook.tsx';
import styles from './settings.module.css';

type Webhook = Schemas['Webhook'];
type Delivery = Schemas['WebhookDelivery'];

export const webhooksKey = (siteId: string) => ['site', siteId, 'webhooks'];

/** Addresses that are called about the site, with what was sent to them lately. */
export function WebhooksSection({ siteId }: { readonly siteId: string }) {
  const t = useSettingsTexts();
  const refusal = useRefusal()('admin');
  const [isAdding, setAdding] = useState(false);
  const query = useQuery({
    queryKey: webhooksKey(siteId),
    queryFn: ({ signal }) => call('GET /sites/{siteId}/webhooks', { path: { siteId }, query: { limit: 100 }, signal }),
    enabled: refusal === undefined,
  });
  const add = (
    <Button onClick={() => setAdding(true)} refusal={refusal}>
      {t.addWebhook}
    </Button>
  );
  return (
    <div id="webhooks" className={styles.anchor}>
      <Card title={t.webhooks} lead={t.webhooksLead} actions={add}>
        {refusal === undefined && (
          <Loaded query={query} skeleton={<Skeleton of="rows" lines={2} />}>
            {({ webhooks, deliveries }) => (
              <Stack>
                {webhooks.length === 0 && <Empty title={t.noWebhooks} />}
                {webhooks.map((webhook) => (
                  <WebhookEntry key={webhook.webhookId} siteId={siteId} webhook={webhook} />
                ))}
                {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
              </Stack>
            )}
          </Loaded>
        )}
      </Card>
      <NewWebhook siteId={siteId} isOpen={isAdding} onClose={() => setAdding(false)} />
    </div>
  );
}

type TestState = { readonly isBusy?: true; readonly error?: unknown; readonly delivery?: Delivery };

function WebhookEntry({ siteId, webhook }: { readonly siteId: string; readonly webhook: Webhook }) {
  const { webhookId, url, events } = webhook;
  const t = useSettingsTexts();
  const [isDeleting, setDeleting] = useState(false);
  const [state, setState] = useState<TestState>({});
  const path = { siteId, webhookId };
  const readAgain = () => queryClient.invalidateQueries({ queryKey: webhooksKey(siteId) });
  const test = async () => {
    setState({ isBusy: true });
    try {
      setState({ delivery: await call('POST /sites/{siteId}/webhooks/{webhookId}/test', { path }) });
    } catch (error) {
      setState({ error });
    }
    await readAgain();
  };
  return (
    <div className={styles.webhook}>
      <div className={styles.webhookWords}>
        <strong>{url}</strong>
        <span>{events.map((event) => t.events[event]).join(', ')}</span>
      </div>
      <Row>
        <Button onClick={() => void test()} isBusy={state.isBusy} aria-label={`${t.testWebhook}: ${url}`}>
          {t.testWebhook}
        </Button>
        <Button kind="quiet" onClick={() => setDeleting(true)} aria-label={`${t.deleteWebhook}: ${url}`}>
          {t.delete}
        </Button>
      </Row>
      <div role="status" className={styles.webhookResult}>
        {state.delivery && <TestResult delivery={state.delivery} />}
      </div>
      {state.error !== undefined && <Fault error={state.error} />}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={t.deleteWebhook}
        loss={<p>{t.webhookLoss(url)}</p>}
        act={t.deleteWebhook}
        onConfirm={async () => {
          await call('DELETE /sites/{siteId}/webhooks/{webhookId}', { path });
          await readAgain();
        }}
      />
    </div>
  );
}

function TestResult({ delivery: { status, httpStatus, error } }: { readonly delivery: Delivery }) {
  const t = useSettingsTexts();
  if (status === 'delivered') return <Notice tone="good">{t.testDelivered(httpStatus ?? 200)}</Notice>;
  return <Notice tone="bad">{t.testFailed(error ?? String(httpStatus ?? ''))}</Notice>;
}

function Deliveries({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const t = useSettingsTexts();
  const tones = { delivered: 'good', failed: 'bad', pending: 'busy' } as const;
  return (
    <details>
      <summary className={styles.summary}>{t.deliveries(deliveries.length)}</summary>
      <Table<Delivery>
        caption={t.deliveries(deliveries.length)}
        keyOf={({ webhookId, eventId }) => `${webhookId} ${eventId}`}
        rows={deliveries}
        columns={[
          { name: t.event, value: ({ type }) => t.events[type] },
          { name: t.address, kind: 'wide', value: ({ url }) => url },
          { name: t.when, value: ({ createdAt }) => <Time seconds={createdAt} /> },
          {
            name: t.state,
            value: ({ status, httpStatus, error, attempts, nextAttemptAt }) => (
              <>
                <StatusBadge tone={tones[status]}>{t.deliveryStates[status]}</StatusBadge>{' '}
                {error ?? (httpStatus !== undefined && status !== 'delivered' ? `HTTP ${httpStatus}` : '')}{' '}
                {attempts > 1 && t.attempts(attempts)}{' '}
                {nextAttemptAt !== undefined && (
                  <>
                    {t.nextAttempt} <Time seconds={nextAttemptAt} />
                  </>
                )}
              </>
            ),
          },
        ]}
      />
    </details>
  );
}
