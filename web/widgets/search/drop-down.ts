/** The drop-down of a field: a popover, which no `overflow` of the page cuts, placed by the field. */
export type DropDown = { readonly show: () => void; readonly hide: () => void; readonly isOpen: () => boolean };

const GAP = 6;
/** With less room below the field, the list is above it if there is more. */
const LEAST_HEIGHT = 260;
const LEAST_WIDTH = 420;
const MARGIN = 12;

export function createDropDown(anchor: HTMLElement, popover: HTMLElement, leave: (event: Event) => void): DropDown {
  const isOpen = () => popover.matches(':popover-open');

  function place(): void {
    const field = anchor.getBoundingClientRect();
    const width = Math.min(Math.max(field.width, LEAST_WIDTH), document.documentElement.clientWidth - 2 * MARGIN);
    const { room, ...vertical } = verticalOf(field);
    const isRtl = getComputedStyle(anchor).direction === 'rtl';
    const style = { ...vertical, left: leftOf(field, width, isRtl), width, '--room': room };
    for (const [name, value] of Object.entries(style))
      popover.style.setProperty(name, value === undefined ? 'auto' : `${value}px`);
  }

  function watch(isOn: boolean): void {
    const change = isOn ? 'addEventListener' : 'removeEventListener';
    document[change]('pointerdown', leave, true);
    document[change]('scroll', place, true);
    window[change]('resize', place);
  }

  return {
    isOpen,
    show() {
      if (isOpen() || !popover.isConnected) return;
      popover.showPopover();
      place();
      watch(true);
    },
    hide() {
      watch(false);
      if (isOpen()) popover.hidePopover();
    },
  };
}

/** Below the field, or above it where there is more room. */
function verticalOf({ top, bottom }: DOMRect) {
  const below = (visualViewport?.height ?? innerHeight) - bottom - GAP - MARGIN;
  const above = top - GAP - MARGIN;
  return below < LEAST_HEIGHT && above > below
    ? { top: undefined, bottom: innerHeight - top + GAP, room: above }
    : { top: bottom + GAP, bottom: undefined, room: Math.max(120, below) };
}

/** At the start of the field, or at its end where the screen ends before. */
function leftOf({ left, right }: DOMRect, width: number, isRtl: boolean): number {
  const last = document.documentElement.clientWidth - MARGIN - width;
  return Math.max(MARGIN, Math.min(isRtl || left > last ? right - width : left, last));
}
