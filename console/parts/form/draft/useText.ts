import { useState } from 'react';
import { readText, writeText } from './drafts.ts';

/** A text that survives Back and a reload of the tab until it is emptied, as the input of forms does. @param name of its field */
export function useText(name: string): [text: string, put: (text: string) => void] {
  const [text, setText] = useState(() => readText(name));
  return [
    text,
    (next) => {
      writeText(name, next);
      setText(next);
    },
  ];
}
