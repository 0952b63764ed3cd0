import { elementFor, whenThere } from './legacy.ts';

/** A chat in a corner of the window. Of two tags, such as a block and the global one, the filters of either hold. */
const script = document.currentScript as HTMLScriptElement;
const { position, greeting } = script.dataset;
const element = elementFor(script, 'chat', { mode: 'bubble', position, greeting });

whenThere(() => {
  if (!element) return;
  const other = document.querySelector('site-search-chat[mode=bubble]');
  const filters = element.getAttribute('filters');
  if (!other) document.body.append(element);
  else if (filters) other.setAttribute('filters', filters);
});
