import { settings } from '../../../lib/settings.ts';
import { options, synthesise } from '../synthesis.ts';

export const trial = synthesise(settings.trial);
export const production = synthesise({ ...settings.production, ...options });
