import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { faultText } from '../components/fault.tsx';
import { ScreenHeader } from '../components/screen-header.tsx';
import { useShellTexts } from '../texts/shell.ts';

/** The address names no screen. */
export function UnknownScreen() {
  const t = useShellTexts();
  return (
    <>
      <ScreenHeader title={t.notFound} />
      <Empty title={t.notFoundAdvice}>
        <Link to="/sites" className={buttonClass('primary')}>
          {t.allSites}
        </Link>
      </Empty>
    </>
  );
}

/** A screen threw an error, or its script could not be loaded, as after an update of the service. */
export function BrokenScreen({ error }: ErrorComponentProps) {
  const t = useShellTexts();
  return (
    <>
      <ScreenHeader title={t.broken} />
      <Empty title={t.brokenAdvice}>
        <p>{faultText(error)}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </Empty>
    </>
  );
}
