/** The files of the widgets by name, relative to the root of the service; written by the build. */
declare const CHUNKS: Readonly<Record<'modal', string>>;

/** What a widget shows, loaded when it is used for the first time. */
export type View = { readonly open: (query?: string) => void; readonly close: () => void };
/** What the module of a widget exports. */
type WidgetModule = { readonly mount: (host: SiteSearchElement) => View };

/** Where the script came from, which is where the service is. */
let root = location.href;

/** A custom element of the script. It is small: the module of a widget, loaded on first use, fills its shadow root. */
export abstract class SiteSearchElement extends HTMLElement {
  abstract readonly widget: keyof typeof CHUNKS;
  #view: Promise<View> | undefined;

  /** The address of the service. */
  get api(): string {
    return this.getAttribute('api') ?? new URL('..', root).href;
  }

  async open(query = ''): Promise<void> {
    (await this.load()).open(query);
  }

  async close(): Promise<void> {
    (await this.#view)?.close();
  }

  load(): Promise<View> {
    this.#view ??= import(/* @vite-ignore */ new URL(`../${CHUNKS[this.widget]}`, root).href).then(
      ({ mount }: WidgetModule) => mount(this),
    );
    return this.#view;
  }
}

class Modal extends SiteSearchElement {
  readonly widget = 'modal';
}

/** Defines the elements, with the service of the script's address. A second script on the page changes nothing. */
export function defineElements(script: HTMLOrSVGScriptElement | null): void {
  if (script instanceof HTMLScriptElement) root = script.src;
  if (customElements.get('site-search-modal')) return;
  customElements.define('site-search-modal', Modal);
}
