import { useState } from 'react';
import { keep, keyOf, readKept } from './storage.ts';

/** A text that survives Back and a reload of the tab until it is emptied, as the input of forms does. @param name of its field */
export function useText(name: string): [text: string, put: (text: string) => void] {
  const key = keyOf(name);
  const [text, setText] = useState(() => readKept(key));
  return [
    text,
    (next) => {
      keep(key, next);
      setText(next);
    },
  ];
}
