import css from './loader.css?inline';
import { isShortcut, keyCap, shortcutOf } from './shortcut.ts';

/** The files of the widgets by name, relative to the root of the service; written by the build. */
declare const CHUNKS: Readonly<Record<'modal' | 'box' | 'page' | 'chat', string>>;

/** What a widget shows, loaded when it is used for the first time. */
export type View = {
  /** Searches for what the field holds, or asks it. */
  readonly open: () => void;
  readonly close: () => void;
  /** An attribute has changed, or the element is in the page again. */
  readonly changed: () => void;
};
/** What the module of a widget exports. */
type WidgetModule = { readonly mount: (host: SiteSearchElement) => View | Promise<View> };

/** The words for searching and asking, as in the texts of the language, which are loaded later. */
const WORDS: Readonly<Record<string, string>> = {
  de: 'Suchen|Frage stellen',
  fr: 'Rechercher|Poser une question',
  es: 'Buscar|Hacer una pregunta',
  nl: 'Zoeken|Stel een vraag',
  pt: 'Pesquisar|Fazer uma pergunta',
  it: 'Cerca|Faccia una domanda',
  ja: '検索|質問する',
};

/** Where the script came from, which is where the service is. */
let root = location.href;
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
/** The elements in the document. */
const elements = new Set<Shadow>();

/** Makes an element whose class is also its part. */
function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  part: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = part;
  element.setAttribute('part', part);
  element.append(...children);
  return element;
}

abstract class Shadow extends HTMLElement {
  connectedCallback(): void {
    elements.add(this);
    if (!this.shadowRoot) {
      const shadow = this.attachShadow({ mode: 'open' });
      shadow.adoptedStyleSheets = [sheet];
      shadow.append(this.build());
      new MutationObserver(() => this.changed()).observe(this, { attributes: true });
    }
    this.changed();
  }

  disconnectedCallback(): void {
    elements.delete(this);
    void this.close?.();
  }

  /** The word for searching in the language of the element, or the one for asking. */
  protected word(index = 0): string {
    const words = WORDS[this.closest<HTMLElement>('[lang]')?.lang.slice(0, 2) ?? ''];
    return (words ?? 'Search|Ask a question').split('|')[index] ?? '';
  }

  protected abstract build(): Node;
  abstract changed(): void;
  close?(): Promise<void>;
}

/** A custom element of the script. It is small: the module of a widget, loaded on first use, fills its shadow root. */
export abstract class SiteSearchElement extends Shadow {
  abstract readonly widget: keyof typeof CHUNKS;
  /** There before the module, so that nobody waits before typing. */
  readonly input = make('input', 'input');
  readonly form = make('form', 'field', make('span', 'icon'), this.input);
  readonly frame = make('div', 'root', this.form);
  #view: Promise<View> | undefined;

  protected build(): Node {
    this.form.onsubmit = () => false;
    this.input.onfocus = this.frame.onpointerenter = () => void this.load();
    return this.frame;
  }

  changed(): void {
    this.input.placeholder = this.getAttribute('placeholder') ?? this.word();
    void this.#view?.then((view) => view.changed());
  }

  /** The address of the service. */
  get api(): string {
    return this.getAttribute('api') || new URL('..', root).href;
  }

  async open(query?: string): Promise<void> {
    this.input.value = query ?? this.input.value;
    this.input.focus();
    this.input.select();
    (await this.load()).open();
  }

  override async close(): Promise<void> {
    (await this.#view)?.close();
  }

  /** Loads what the element shows. After a failure, the next use tries again. */
  load(): Promise<View> {
    this.#view ??= import(/* @vite-ignore */ new URL(`../${CHUNKS[this.widget]}`, root).href)
      .then(({ mount }: WidgetModule) => mount(this))
      .catch((error) => {
        this.#view = undefined;
        throw error;
      });
    return this.#view;
  }
}

class Modal extends SiteSearchElement {
  readonly widget = 'modal';
  readonly dialog = make('dialog', 'dialog', this.frame);

  protected override build(): Node {
    super.build();
    return this.dialog;
  }

  override changed(): void {
    super.changed();
    for (const element of elements) if (element instanceof Button) element.showShortcut();
  }

  get shortcut(): string {
    return shortcutOf(this.getAttribute('shortcut') ?? 'mod+k /');
  }

  override async open(query?: string): Promise<void> {
    if (!this.dialog.open) this.dialog.showModal();
    return super.open(query);
  }

  override async close(): Promise<void> {
    this.dialog.close();
  }
}

class Box extends SiteSearchElement {
  readonly widget = 'box';
}

class Page extends SiteSearchElement {
  readonly widget = 'page';

  override changed(): void {
    super.changed();
    void this.load();
  }
}

/** A conversation. Its button is where the element is or, with the mode `bubble`, in a corner of the window. */
export class Chat extends SiteSearchElement {
  readonly widget = 'chat';
  readonly button = make('button', 'button');

  protected override build(): Node {
    this.button.onclick = () => void this.open();
    this.frame.role = 'region';
    this.frame.replaceChildren(this.button);
    return this.frame;
  }

  override changed(): void {
    super.changed();
    this.button.textContent = this.frame.ariaLabel = this.word(1);
  }
}

/** Opens the modal that `for` names, or a modal of its own with its attributes, or the first of the page. */
class Button extends Shadow {
  readonly #word = document.createElement('slot');
  readonly #keys = make('kbd', 'shortcut');
  readonly #button = make('button', 'button', make('span', 'icon'), this.#word, this.#keys);
  #own: Modal | undefined;

  protected build(): Node {
    this.#button.type = 'button';
    this.#button.ariaHasPopup = 'dialog';
    this.#keys.ariaHidden = 'true';
    this.#button.onclick = () => void this.open();
    this.#button.onpointerenter = this.#button.onfocus = () => void this.#modal?.load();
    return make('span', 'root', this.#button);
  }

  changed(): void {
    if (this.hasAttribute('site') || this.hasAttribute('group')) {
      this.#own ??= this.shadowRoot?.appendChild(new Modal());
      for (const { name, value } of this.attributes) this.#own?.setAttribute(name, value);
    }
    this.#word.textContent = this.word();
    this.showShortcut();
  }

  showShortcut(): void {
    const shortcut = this.#modal?.shortcut ?? '';
    this.#keys.textContent = keyCap(shortcut);
    this.#button.setAttribute('aria-keyshortcuts', shortcut);
  }

  get #modal(): Modal | undefined {
    const named = document.getElementById(this.getAttribute('for') ?? '');
    const all = named ? [named] : [this.#own, ...elements];
    return all.find((element): element is Modal => element instanceof Modal);
  }

  async open(query?: string): Promise<void> {
    return this.#modal?.open(query);
  }
}

/** Opens or closes the first modal of the page that has the shortcut. */
function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || event.isComposing) return;
  for (const element of elements)
    if (element instanceof Modal && isShortcut(event, element.shortcut)) {
      event.preventDefault();
      return void (element.dialog.open ? element.close() : element.open());
    }
}

/** Defines the elements, with the service of the script's address. A second script on the page changes nothing. */
export function defineElements(script: HTMLOrSVGScriptElement | null): void {
  if (script instanceof HTMLScriptElement) root = script.src;
  if (customElements.get('site-search-modal')) return;
  for (const [name, element] of Object.entries({ modal: Modal, box: Box, page: Page, button: Button, chat: Chat }))
    customElements.define(`site-search-${name}`, element);
  addEventListener('keydown', onKey);
}
