import type { Labels } from '../labels/en.ts';
import { filled } from '../labels/labels.ts';
import type { Said } from './answer.ts';

/** Why there is no answer: `text` in the language of the widget, `detail` in the words of the service. */
export type Fault = { readonly text: string; readonly detail?: string; readonly waitSeconds: number };

export function faultOf({ error, waitsUntil = 0 }: Said, labels: Labels): Fault {
  const waitSeconds = Math.max(0, Math.ceil((waitsUntil - Date.now()) / 1000));
  if (!navigator.onLine) return { text: labels.answerOffline, waitSeconds };
  if (waitSeconds > 0) return { text: filled(labels.answerWait, { seconds: waitSeconds }), waitSeconds };
  if (error?.code === 'unreachable') return { text: labels.unreachable, waitSeconds };
  return { text: labels.answerFailed, ...(error && !waitsUntil && { detail: error.message }), waitSeconds };
}
