import { type FormEvent, useId, useState } from 'react';
import { call, queryClient, type Schemas } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Stack } from '../../components/card.tsx';
import { Code } from '../../components/code.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Fault } from '../../components/fault.tsx';
import { Checkbox, TextField } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { isAtFields, issuesIn } from '../../forms/issues.ts';
import { useSettingsTexts } from '../../texts/settings.ts';
import { useShellTexts } from '../../texts/shell.ts';
import styles from './settings.module.css';
import { webhooksKey } from './webhooks-section.tsx';

type Event = Schemas['Webhook']['events'][number];
const EVENTS: readonly Event[] = ['crawl.completed', 'crawl.failed', 'crawl.cancelled', 'review.created'];

type Props = { readonly siteId: string; readonly isOpen: boolean; readonly onClose: () => void };
type State = { readonly isBusy?: true; readonly error?: unknown; readonly secret?: string };

/** Adds a webhook, and shows its secret, once. */
export function NewWebhook({ siteId, isOpen, onClose }: Props) {
  const t = useSettingsTexts();
  const shell = useShellTexts();
  const form = useId();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState(EVENTS);
  const [state, setState] = useState<State>({});
  const errorAt = issuesIn(state.error);
  const close = () => {
    setUrl('');
    setEvents(EVENTS);
    setState({});
    onClose();
  };
  const create = async (submitted: FormEvent) => {
    submitted.preventDefault();
    setState({ isBusy: true });
    try {
      const body = { url: url.trim(), events: [...events] };
      const { secret } = await call('POST /sites/{siteId}/webhooks', { path: { siteId }, body });
      setState({ secret });
      await queryClient.invalidateQueries({ queryKey: webhooksKey(siteId) });
    } catch (error) {
      setState({ error });
    }
  };
  const { secret } = state;
  const kept = (
    <Button kind="primary" onClick={close}>
      {t.secretKept}
    </Button>
  );
  const buttons = (
    <>
      <Button onClick={close}>{shell.cancel}</Button>
      <Button kind="primary" type="submit" form={form} isBusy={state.isBusy}>
        {t.addWebhook}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={secret === undefined ? t.addWebhook : t.webhookAdded}
      description={secret === undefined ? <p>{t.addWebhookLead}</p> : <Notice tone="warn">{t.secretOnce}</Notice>}
      actions={secret === undefined ? buttons : kept}
    >
      {secret !== undefined && <Code text={secret} of={t.secret} />}
      {secret === undefined && (
        <form id={form} noValidate onSubmit={(submitted) => void create(submitted)}>
          <Stack>
            <TextField
              label={t.address}
              type="url"
              value={url}
              onChange={setUrl}
              error={errorAt('url')}
              placeholder="https://www.example.com/hook"
              autoComplete="off"
              spellCheck={false}
            />
            <fieldset className={styles.choices}>
              <legend>{t.eventList}</legend>
              {EVENTS.map((event) => (
                <Checkbox
                  key={event}
                  label={t.events[event]}
                  isChecked={events.includes(event)}
                  onChange={(isChecked) =>
                    setEvents(EVENTS.filter((one) => (one === event ? isChecked : events.includes(one))))
                  }
                />
              ))}
              {errorAt('events') !== undefined && <p role="alert">{errorAt('events')}</p>}
            </fieldset>
            {state.error !== undefined && !isAtFields(state.error, ['url', 'events']) && <Fault error={state.error} />}
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
