import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Schemas } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { say } from '../../components/toasts.tsx';
import { useFormats } from '../../formats.ts';
import { endedUrls } from '../../outcomes.ts';
import { useCrawlTexts } from '../../texts/crawl.ts';

/** Cancels a running crawl, after it has said what that means. */
export function CancelCrawl({ job }: { readonly job: Schemas['CrawlJob'] }) {
  const t = useCrawlTexts();
  const { number } = useFormats();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const ended = endedUrls(job.outcomes);
  const cancel = async () => {
    const cancelled = await call('DELETE /jobs/{jobId}', { path: { jobId: job.jobId } });
    client.setQueryData(['job', job.jobId], cancelled);
    void client.invalidateQueries({ queryKey: ['site', job.siteId] });
    void client.invalidateQueries({ queryKey: ['sites'] });
    say(t.cancelled);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.cancel}</Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t.cancelQuestion}
        loss={t.cancelLoss(number(ended), number(Math.max(0, job.pagesDiscovered - ended)))}
        act={t.cancelAct}
        keep={t.keepRunning}
        onConfirm={cancel}
      />
    </>
  );
}
