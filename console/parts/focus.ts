import { useEffect, useRef } from 'react';

/**
 * Gives the focus back, when this is closed, to what had it when it was opened, or to the heading of the page if that is gone. What
 * closes by not being drawn any more never gets to the library's own way of doing it.
 */
export function useReturnedFocus(): () => void {
  const opener = useRef(document.activeElement);
  const back = useRef(() => {
    const element = opener.current;
    if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus();
    else document.querySelector<HTMLElement>('h1')?.focus();
  });
  useEffect(() => {
    const giveBack = back.current;
    return () => {
      // What is opened in its place takes it afterwards.
      setTimeout(giveBack);
    };
  }, []);
  return back.current;
}
