import { ScreenHeader } from '../../components/screen-header.tsx';
import { useShellTexts } from '../../texts/shell.ts';

export function KeysScreen() {
  const t = useShellTexts();
  return <ScreenHeader title={t.keys} />;
}
