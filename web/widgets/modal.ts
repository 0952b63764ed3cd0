import { html, render } from 'lit';
import { createClient, type SearchResponse } from '../../packages/client/src/client.ts';
import type { SiteSearchElement, View } from './loader/elements.ts';

/** Fills the shadow root of a `<site-search-modal>`. */
export function mount(host: SiteSearchElement): View {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const client = createClient({ api: host.api, site: host.getAttribute('site') ?? '' });
  let found: SearchResponse | undefined;
  const update = () =>
    render(
      html`<dialog part="dialog">
        <input type="search" @input=${search} />
        <ol>
          ${found?.results.map(({ url, title }) => html`<li><a href=${url}>${title}</a></li>`)}
        </ol>
      </dialog>`,
      shadow,
    );
  async function search({ target }: InputEvent): Promise<void> {
    if (!(target instanceof HTMLInputElement) || target.value === '') return;
    found = await client.search(target.value);
    update();
  }
  update();
  const dialog = shadow.querySelector('dialog');
  return { open: () => dialog?.showModal(), close: () => dialog?.close() };
}
