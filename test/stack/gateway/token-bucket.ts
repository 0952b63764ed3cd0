/** The throttle of API Gateway: `burst` calls at once, and then `perSecond`. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #at = performance.now();

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
  }

  /** Takes the tokens, though there are fewer; answers whether there was one. */
  take(tokens = 1): boolean {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    const hasOne = this.#tokens >= 1;
    if (hasOne) this.#tokens -= tokens;
    return hasOne;
  }
}
