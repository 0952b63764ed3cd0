import type { Texts } from '../../language.ts';
import type { en } from '../en/charts.ts';

export const de: Texts<typeof en> = {
  showAsTable: 'Als Tabelle zeigen',
  none: 'keine',
  valuesOf: (title) => `Werte des Diagramms „${title}“`,
};
