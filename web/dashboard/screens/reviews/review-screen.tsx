import { ScreenHeader } from '../../components/screen-header.tsx';
import { useShellTexts } from '../../texts/shell.ts';

export function ReviewScreen() {
  const t = useShellTexts();
  return <ScreenHeader title={t.reviews} />;
}
