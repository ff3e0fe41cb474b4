import { lazyPart } from '../lazyPart.tsx';
import { Code } from '../text/Code.tsx';

/** Longer texts would make the page slow, and are shown as they are. */
export const MOST_CHARACTERS = 50_000;

const Drawn = lazyPart(() => import('./Drawn.tsx'));

/** A text in Markdown from a model: nothing in it runs or is loaded. */
export function Markdown({ text }: { text: string }) {
  return text.length > MOST_CHARACTERS ? <Code dir="auto">{text}</Code> : <Drawn text={text} />;
}
