/** Shows an error, counts down until the service accepts requests again, and then retries. */

import { ServiceFault } from './request.js';

const maxWaitSeconds = 120;

/**
 * `field` gets the focus if the focused button disappears.
 * @param {{ box: HTMLElement, text: HTMLElement, wait: HTMLElement, button: HTMLElement, field: HTMLElement }} parts
 */
export function createFaultNotice({ box, text, wait, button, field }) {
  let timer = 0;
  let retry = () => {};

  function hide() {
    clearInterval(timer);
    if (button === document.activeElement) field.focus();
    box.hidden = true;
  }

  /** Shows a fault. Omit `tryAgain` if a retry cannot succeed. @param {unknown} fault @param {() => void} [tryAgain] */
  function show(fault, tryAgain) {
    clearInterval(timer);
    retry = tryAgain ?? (() => {});
    text.textContent = fault instanceof ServiceFault ? fault.message : 'Something went wrong on this page.';
    button.hidden = !tryAgain;
    wait.textContent = '';
    box.hidden = false;
    if (tryAgain && fault instanceof ServiceFault && fault.status === 429 && fault.retryAfter !== undefined) {
      countDown(Math.min(maxWaitSeconds, Math.max(1, Math.ceil(fault.retryAfter))));
    }
  }

  /** @param {number} seconds */
  function countDown(seconds) {
    const end = performance.now() + seconds * 1000;
    const tick = () => {
      const left = Math.ceil((end - performance.now()) / 1000);
      if (left <= 0) return again();
      wait.textContent = `Searching again in ${left} s`;
    };
    tick();
    timer = setInterval(tick, 250);
  }

  function again() {
    hide();
    retry();
  }

  button.addEventListener('click', again);
  return { show, hide };
}
