import { element } from './element.js';

const feedbackMs = 2_000;

/**
 * Creates a code block with a button that copies it, or selects it where the browser forbids copying.
 * @param {string} code @param {string} what the code is, for screen readers
 */
export function copyableCode(code, what) {
  const codeElement = element('code', {}, code);
  const button = element('button', { type: 'button' }, 'Copy', element('span', { class: 'unseen' }, ` ${what}`));
  const spoken = element('span', { class: 'unseen', role: 'status' });
  let timer = 0;
  button.addEventListener('click', async () => {
    const isCopied = await copy(code);
    if (!isCopied) getSelection()?.selectAllChildren(codeElement);
    button.classList.toggle('done', isCopied);
    spoken.textContent = isCopied ? 'Copied' : 'Selected';
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.classList.remove('done');
      spoken.textContent = '';
    }, feedbackMs);
  });
  return element('div', { class: 'curl' }, element('pre', {}, codeElement), button, spoken);
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
