/** Ids of elements that show what a claim was found in. */
export const inputPlace = (run_id: string): string => `input-${run_id}`;
export const stepPlace = (run_id: string, step: number): string => `step-${run_id}-${step}`;

/** Opens a place of this page and moves the focus to it. */
export function showPlace(id: string): void {
  const place = document.getElementById(id);
  const fold = place?.querySelector<HTMLElement>('button[aria-expanded]');
  if (fold?.getAttribute('aria-expanded') === 'false') fold.click();
  (fold ?? place)?.focus();
}
