import { elementFor, mount } from './legacy.ts';

/** A search in the page. */
const script = document.currentScript as HTMLScriptElement;
const { showAiAnswer, facets, facetPosition } = script.dataset;
const element = elementFor(script, 'page', {
  answers: showAiAnswer === 'true' ? 'auto' : 'off',
  ...(facets === 'true' && { facets: '', 'facet-position': facetPosition }),
});
if (element) mount(script, element);
