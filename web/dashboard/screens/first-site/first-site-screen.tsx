import { ScreenHeader } from '../../components/screen-header.tsx';
import { useShellTexts } from '../../texts/shell.ts';

export function FirstSiteScreen() {
  const t = useShellTexts();
  return <ScreenHeader title={t.addSite} />;
}
