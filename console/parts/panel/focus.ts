import { type RefObject, useEffect, useState } from 'react';

/** The open dialogs, newest last, each with the elements that had the focus before, newest first. */
const layers: (readonly (Element | null)[])[] = [];

const isFocusable = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body;

/** The button for a new record moves once the list has a record. */
const doubleOf = (element: Element | null): HTMLElement | undefined =>
  element instanceof HTMLButtonElement
    ? [...document.querySelectorAll('button')].find(({ textContent }) => textContent === element.textContent)
    : undefined;

/**
 * Returns the focus on close to the element that had it, to that of the dialog that opened this one, or to the heading of the page.
 * The library does not return the focus of dialogs that are unmounted.
 */
export function useFocusReturn(): () => void {
  const [openers] = useState(() => [document.activeElement, ...(layers.at(-1) ?? [])]);
  const [back] = useState(() => () => {
    const double = () => openers.map(doubleOf).find((element) => element !== undefined);
    (openers.find(isFocusable) ?? double() ?? document.querySelector<HTMLElement>('h1'))?.focus();
  });
  useEffect(() => {
    layers.push(openers);
    return () => {
      // A dialog that opens in its place takes the focus afterwards.
      setTimeout(() => {
        layers.splice(layers.indexOf(openers), 1);
        back();
      });
    };
  }, [openers, back]);
  return back;
}

/** Focuses `head` when what had the focus inside the box disappears, such as the button of an action that is over. */
export function useKeptFocus(box: RefObject<HTMLElement>, head: RefObject<HTMLElement>): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let last: EventTarget | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target;
    };
    const observer = new MutationObserver(() => {
      if (last instanceof Node && !last.isConnected && document.activeElement === document.body) head.current?.focus();
    });
    element.addEventListener('focusin', note);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, [box, head]);
}

/** Focuses the control of a field. */
export function focusOn(form: HTMLElement | null, path: string): void {
  const field = [...(form?.querySelectorAll<HTMLElement>('[data-place]') ?? [])].find(
    ({ dataset }) => dataset.place === path,
  );
  // The library measures the height of a text with a second, hidden area before it.
  field?.querySelector<HTMLElement>('input, textarea:not([aria-hidden]), button, [tabindex="0"]')?.focus();
}
