/** Says what went wrong, counts down to the moment when the service takes requests again, and tries again. */

import { ServiceFault } from './service.js';

const longestWaitS = 120;

/** `field` takes the focus of a button that goes. @param {{ box: HTMLElement, text: HTMLElement, wait: HTMLElement, button: HTMLElement, field: HTMLElement }} parts */
export function createFaultNotice({ box, text, wait, button, field }) {
  let timer = 0;
  let retry = () => {};

  function hide() {
    clearInterval(timer);
    if (button === document.activeElement) field.focus();
    box.hidden = true;
  }

  /** Without `tryAgain` nothing would change the answer. @param {unknown} fault @param {() => void} [tryAgain] */
  function show(fault, tryAgain) {
    clearInterval(timer);
    retry = tryAgain ?? (() => {});
    text.textContent = fault instanceof ServiceFault ? fault.message : 'Something went wrong on this page.';
    button.hidden = !tryAgain;
    wait.textContent = '';
    box.hidden = false;
    if (tryAgain && fault instanceof ServiceFault && fault.status === 429 && fault.retryAfter !== undefined) {
      countDown(Math.min(longestWaitS, Math.max(1, Math.ceil(fault.retryAfter))));
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
