import { useState } from 'react';
import { parseKept } from './drafts.ts';
import { useText } from './useText.ts';

/** A value that survives as the text of `useText` does, until it is the initial one again. @param name of its field */
export function useValue(name: string, initial: unknown): [value: unknown, put: (value: unknown) => void] {
  const [text, setText] = useText(name);
  const [value, setValue] = useState(() => (text === '' ? initial : parseKept(text)));
  return [
    value,
    (next) => {
      const typed = JSON.stringify(next) ?? '';
      setText(typed === JSON.stringify(initial) ? '' : typed);
      setValue(next);
    },
  ];
}
