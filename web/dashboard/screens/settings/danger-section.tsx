import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, queryClient } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { say } from '../../components/toasts.tsx';
import { useFormats } from '../../formats.ts';
import { useRefusal } from '../../role.ts';
import { useSettingsTexts } from '../../texts/settings.ts';
import styles from './settings.module.css';
import type { Site } from './site-section.ts';

/** What deletes: all pages, or the site with all that belongs to it. */
export function DangerSection({ site }: { readonly site: Site }) {
  const { siteId, name, pageCount } = site;
  const t = useSettingsTexts();
  const { number } = useFormats();
  const navigate = useNavigate();
  const refusal = useRefusal()('owner');
  const [open, setOpen] = useState<'purge' | 'delete'>();
  const close = () => setOpen(undefined);
  const path = { siteId };
  const purge = async () => {
    await call('POST /sites/{siteId}/purge', { path });
    await queryClient.invalidateQueries({ queryKey: ['site', siteId] });
    await queryClient.invalidateQueries({ queryKey: ['sites'] });
    say(t.purged);
  };
  const remove = async () => {
    await call('DELETE /sites/{siteId}', { path });
    await navigate({ to: '/sites' });
    queryClient.removeQueries({ queryKey: ['site', siteId] });
    await queryClient.invalidateQueries({ queryKey: ['sites'] });
    say(t.deleted(name));
  };
  return (
    <div id="danger" className={styles.anchor}>
      <Card title={t.danger} lead={t.dangerLead}>
        <div className={styles.dangers}>
          <div>
            <h3>{t.purge}</h3>
            <p>{t.purgeLead(number(pageCount))}</p>
          </div>
          <Button onClick={() => setOpen('purge')}>{t.purge}</Button>
          <div>
            <h3>{t.deleteSite}</h3>
            <p>{t.deleteLead}</p>
          </div>
          <Button kind="danger" onClick={() => setOpen('delete')} refusal={refusal}>
            {t.deleteSite}
          </Button>
        </div>
      </Card>
      <ConfirmDialog
        isOpen={open === 'purge'}
        onClose={close}
        title={t.purgeTitle(name)}
        loss={<p>{t.purgeLoss(number(pageCount))}</p>}
        act={t.purge}
        onConfirm={purge}
      />
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={close}
        title={t.deleteTitle(name)}
        loss={
          <>
            <p>{t.deleteLoss}</p>
            <ul>
              {t.deleteLosses(number(pageCount)).map((loss) => (
                <li key={loss}>{loss}</li>
              ))}
            </ul>
          </>
        }
        typed={name}
        act={t.deleteSite}
        onConfirm={remove}
      />
    </div>
  );
}
