/** An HTML page as its server has answered it. */
export type RenderRequest = {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type RenderFailure =
  /** The page does not come to rest: its scripts keep the browser busy. */
  | 'timeout'
  /** The page exceeds its memory limit or ends the browser. */
  | 'crashed'
  /** The page exceeds the maximum size of a page. */
  | 'too_large'
  /** The renderer was closed. */
  | 'aborted'
  /** There is no browser, or it does not start. `detail` is a sentence for people. */
  | 'no_browser';

export type RenderResult =
  /** `url` differs from the request's if a script has changed the address without leaving the page. */
  | { readonly kind: 'page'; readonly url: string; readonly html: string }
  /** A script or a refresh leads to another page, which is not requested. */
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'failure'; readonly reason: RenderFailure; readonly detail: string };

/**
 * Renders pages in a browser and reads them once their scripts have come to rest. The answer in the request is the
 * document: neither it nor any other document is requested. The scripts of a page reach only addresses that the crawler
 * may reach, and share nothing with those of other pages. A page takes at most 15 seconds and 512 MB. The renderer does
 * not throw: every failure is a result, and concerns that page only. Any number of calls may run at once.
 */
export interface PageRenderer {
  /** A sentence for people about how the pages were rendered. */
  readonly warning?: string | undefined;

  render(request: RenderRequest): Promise<RenderResult>;

  /** Ends running calls as `aborted`, and the browser. */
  close(): Promise<void>;
}
