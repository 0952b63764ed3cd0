import type { EventReader } from '../../core/ports/event-log.ts';
import { eventLog } from './event-log.ts';

export const eventReader: EventReader = eventLog;
