import { elementFor, mount } from './legacy.ts';

/** A button that opens a search, as Ctrl+K and Command+K do. */
const script = document.currentScript as HTMLScriptElement;
const answers = script.dataset.showAiAnswer === 'true' ? 'auto' : 'off';
const element = elementFor(script, 'button', { answers });
if (element) mount(script, element);
