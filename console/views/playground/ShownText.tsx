import { useId } from 'react';
import { Code } from '../../parts/text/Code.tsx';
import { withVisibleCharacters } from '../../parts/text/visible.ts';

/** Longer texts would make the page slow. */
const MOST_CHARACTERS = 100_000;

/** A text or value of a server: hidden characters are visible, and a long one is cut. */
export function ShownText({ label, value }: { label: string; value: unknown }) {
  const id = useId();
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  const isLong = text.length > MOST_CHARACTERS;
  return (
    <figure style={{ margin: 0 }} aria-labelledby={id}>
      <figcaption id={id}>{label}</figcaption>
      <Code dir="auto">{withVisibleCharacters(text.slice(0, MOST_CHARACTERS))}</Code>
      {isLong && <small>Only the first {MOST_CHARACTERS.toLocaleString('en')} characters are shown.</small>}
    </figure>
  );
}
