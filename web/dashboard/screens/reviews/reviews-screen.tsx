import { ScreenHeader } from '../../components/screen-header.tsx';
import { useShellTexts } from '../../texts/shell.ts';

export function ReviewsScreen() {
  const t = useShellTexts();
  return <ScreenHeader title={t.reviews} />;
}
