import { element } from './element.js';

const thanksMs = 2_000;

/** Code beside a button that copies it; where the browser forbids that, it is selected instead. @param {string} code @param {string} name for whom the code is, told to screen readers */
export function copyableCode(code, name) {
  const place = element('code', {}, code);
  const button = element(
    'button',
    { type: 'button' },
    'Copy',
    element('span', { class: 'unseen' }, ` the call of ${name}`),
  );
  const spoken = element('span', { class: 'unseen', role: 'status' });
  let timer = 0;
  button.addEventListener('click', async () => {
    const isCopied = await copy(code);
    if (!isCopied) getSelection()?.selectAllChildren(place);
    button.classList.toggle('done', isCopied);
    spoken.textContent = isCopied ? 'Copied' : 'Selected';
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.classList.remove('done');
      spoken.textContent = '';
    }, thanksMs);
  });
  return element('div', { class: 'curl' }, element('pre', {}, place), button, spoken);
}

/** @param {string} code */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code);
    return true;
  } catch {
    return false;
  }
}
