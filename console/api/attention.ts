/** Whoever has not touched the page for so long is not there: nothing is asked, so that their session may end. */
const IDLE_MS = 10 * 60_000;

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focusin'] as const;

/** What is needed of `document`. */
export interface WatchedPage extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  readonly hidden: boolean;
}

/**
 * Tells whether somebody may be looking: the tab can be seen, and was touched in the last ten minutes.
 * @param tell called with each change
 * @returns stops it
 */
export function watchAttention(page: WatchedPage, onChange: (isSomebodyThere: boolean) => void): () => void {
  let isIdle = false;
  let wasActive = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => {
    const isThere = !page.hidden && !isIdle;
    if (isThere === wasActive) return;
    wasActive = isThere;
    onChange(isThere);
  };
  const touched = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isIdle = true;
      update();
    }, IDLE_MS);
    isIdle = false;
    update();
  };
  // To come back to a tab is to touch it.
  const turned = () => (page.hidden ? update() : touched());
  for (const sign of SIGNS) page.addEventListener(sign, touched, { passive: true, capture: true });
  page.addEventListener('visibilitychange', turned);
  turned();
  touched();
  return () => {
    clearTimeout(timer);
    for (const sign of SIGNS) page.removeEventListener(sign, touched, { capture: true });
    page.removeEventListener('visibilitychange', turned);
  };
}
