const OPEN = '<think>';
const CLOSE = '</think>';

/** Removes a model's reasoning before its answer, while the text arrives in parts. */
export class ReasoningFilter {
  #text = '';
  #hasBegun = false;

  /** Returns the text of the answer that this part completes. */
  without(part: string): string {
    if (this.#hasBegun) return part;
    this.#text = (this.#text + part).trimStart();
    this.#hasBegun = !OPEN.startsWith(this.#text.slice(0, OPEN.length));
    return this.#hasBegun ? this.#text : this.#afterThoughts();
  }

  #afterThoughts(): string {
    const end = this.#text.indexOf(CLOSE);
    const answer = end < 0 ? '' : this.#text.slice(end + CLOSE.length).trimStart();
    this.#hasBegun = answer !== '';
    // Drops the middle of a long reasoning, so that it is not searched again with each part.
    if (end < 0) this.#text = this.#text.slice(0, OPEN.length) + this.#text.slice(OPEN.length).slice(-CLOSE.length);
    return answer;
  }
}
