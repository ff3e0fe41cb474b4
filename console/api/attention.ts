/** After this long without activity polling stops, so that the session can expire. */
const IDLE_MS = 10 * 60_000;

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focusin'] as const;

/** The part of `document` that is used. */
export interface WatchedPage extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  readonly hidden: boolean;
}

/** Reports whether the tab is visible and was used in the last ten minutes. @returns a function that stops it */
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
  // Returning to a tab counts as activity.
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
