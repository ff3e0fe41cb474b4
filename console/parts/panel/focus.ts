import { useEffect, useState } from 'react';

/** What is open, or has not given the focus back yet, the last one at the end: each with what had the focus before, newest first. */
const layers: (readonly (Element | null)[])[] = [];

const isFocusable = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body;

/** A button of the same name: that for a new one stands elsewhere once there is something in the list. */
const doubleOf = (element: Element | null): HTMLElement | undefined =>
  element instanceof HTMLButtonElement
    ? [...document.querySelectorAll('button')].find(({ textContent }) => textContent === element.textContent)
    : undefined;

/**
 * Gives the focus back, when this is closed, to what had it when it was opened. What was opened from a dialog that is gone, such as
 * the panel of what a form has made, gives it to what that dialog was opened from; the heading of the page has it at last. What
 * closes by not being drawn any more never gets to the library's own way of doing it.
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
      // What is opened in its place takes it afterwards.
      setTimeout(() => {
        layers.splice(layers.indexOf(openers), 1);
        back();
      });
    };
  }, [openers, back]);
  return back;
}

/** The control of a field of a form. @param path of the field, as its place has it */
export function focusOn(form: HTMLElement | null, path: string): void {
  const field = [...(form?.querySelectorAll<HTMLElement>('[data-place]') ?? [])].find(
    ({ dataset }) => dataset.place === path,
  );
  field?.querySelector<HTMLElement>('input, textarea, button, [tabindex="0"]')?.focus();
}
