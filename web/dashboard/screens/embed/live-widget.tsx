import { useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { useEmbedTexts } from '../../texts/embed.ts';
import type { Widget } from './address.ts';
import styles from './embed.module.css';
import type { Attributes } from './widget-code.ts';

const SCRIPT = '/v1/site-search.js';
type Opening = HTMLElement & { readonly open?: () => Promise<void> };

/** Loads the script of the widgets, as a website does. */
function loadWidgets(): void {
  if (document.querySelector(`script[src="${SCRIPT}"]`)) return;
  const script = document.createElement('script');
  script.async = true;
  script.src = SCRIPT;
  document.head.append(script);
}

type Props = { readonly widget: Widget; readonly attributes: Attributes };

/** A widget as visitors see it. It asks as a visitor does, without the key. */
export function LiveWidget({ widget, attributes }: Props) {
  const t = useEmbedTexts();
  const place = useRef<HTMLDivElement>(null);
  const written = JSON.stringify(attributes);
  useEffect(() => {
    loadWidgets();
    const element = document.createElement(`site-search-${widget}`);
    for (const [name, value] of Object.entries(JSON.parse(written) as Attributes)) element.setAttribute(name, value);
    // Ctrl+K and the address belong to the dashboard here.
    if (!element.hasAttribute('shortcut')) element.setAttribute('shortcut', '/');
    element.setAttribute('address', 'off');
    place.current?.replaceChildren(element);
    return () => element.remove();
  }, [widget, written]);
  const open = () => void (place.current?.firstElementChild as Opening | null)?.open?.();
  return (
    <div className={styles.live} data-theme={attributes.theme}>
      {widget === 'modal' && <Button onClick={open}>{t.openModal}</Button>}
      <div ref={place} />
    </div>
  );
}
