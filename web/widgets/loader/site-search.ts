import { defineElements } from './elements.ts';

defineElements(document.currentScript);
