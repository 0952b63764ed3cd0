import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { AnswerParts, Said } from './answer.ts';

export type Verdict = {
  readonly template: () => TemplateResult;
  /** Sends what the visitor has chosen, if it was not sent. */
  readonly leave: () => void;
};

/** Each call of the service counts, so a "no" waits this long for a comment. */
const COMMENT_MS = 5_000;
const MAX_COMMENT_LENGTH = 1_000;

/** Asks whether an answer helped, and what was missing if it did not. */
export function createVerdict({ question, sessionId }: Said, { client, labels, update }: AnswerParts): Verdict {
  let state: 'open' | 'commenting' | 'sent' = 'open';
  let isSent = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function send(helpful: boolean, comment = ''): void {
    clearTimeout(timer);
    removeEventListener('pagehide', leave);
    isSent = true;
    const about = { query: question, ...(sessionId !== undefined && { sessionId }) };
    client.feedback({ ...about, helpful, ...(comment && { comment }) }).catch(() => undefined);
  }

  function leave(): void {
    if (state === 'commenting' && !isSent) send(false);
  }

  function yes(): void {
    send(true);
    state = 'sent';
    update();
  }

  function no(): void {
    state = 'commenting';
    timer = setTimeout(leave, COMMENT_MS);
    addEventListener('pagehide', leave);
    update();
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const comment = String(new FormData(event.target).get('comment') ?? '').trim();
    if (comment || !isSent) send(false, comment);
    state = 'sent';
    update();
  }

  /** Whoever begins to write is not interrupted. */
  const wait = () => clearTimeout(timer);

  const form = () => html`<form class="comment" @submit=${submit}>
    <label>
      ${labels.comment}
      <textarea name="comment" rows="2" maxlength=${MAX_COMMENT_LENGTH} @input=${wait}></textarea>
    </label>
    <button type="submit">${labels.send}</button>
  </form>`;

  return {
    leave,
    template: () => html`<div class="verdict" part="feedback">
      ${
        state === 'open'
          ? html`<span>${labels.helpful}</span>
        <button type="button" @click=${yes}>${labels.yes}</button>
        <button type="button" @click=${no}>${labels.no}</button>`
          : nothing
      }
      ${state === 'commenting' ? form() : nothing}
      <span role="status">${state === 'sent' ? labels.thanks : nothing}</span>
    </div>`,
  };
}
