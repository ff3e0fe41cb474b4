import { cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { BLOCK_END, type Mark } from './marks.ts';

/** Draws a part of a text that states a claim; Markdown may split it into several. */
export type DrawMark = (mark: Mark, part: MarkedPart) => ReactNode;

export interface MarkedPart {
  text: string;
  /** Unique among the marks. */
  key: string;
  /** Whether it is the last part of its mark. */
  isEnd: boolean;
  /** Whether it stands inside a link, where no other link may be. */
  isInLink: boolean;
}

interface Place {
  isInLink: boolean;
  isHeading: boolean;
}

const TOP: Place = { isInLink: false, isHeading: false };
/** Elements that a claim may reach beyond. */
const PHRASES: ReadonlySet<unknown> = new Set(['em', 'strong', 's', 'code', 'a']);

interface Visitor {
  text(text: string, place: Place): ReactNode;
  /** The start or the end of a block. */
  border(): void;
}

/** The text that drawn elements show, with an end of a block at the borders of each. Headings state nothing: they are blank. */
export function textOf(nodes: ReactNode): string {
  const parts: string[] = [];
  visit(nodes, TOP, {
    text(text, { isHeading }) {
      parts.push(isHeading ? BLOCK_END.repeat(text.length) : text);
      return text;
    },
    border: () => parts.push(BLOCK_END),
  });
  return parts.join('');
}

/**
 * The same elements with marks in their texts.
 * @param marks in the text that `textOf` gives, in order and without overlap
 */
export function withMarks(nodes: ReactNode, marks: readonly Mark[], draw: DrawMark): ReactNode {
  let offset = 0;
  let next = 0;
  return visit(nodes, TOP, {
    text(text, { isInLink }) {
      const start = offset;
      offset += text.length;
      const drawn: ReactNode[] = [];
      let done = start;
      for (let mark = marks[next]; mark && mark.from < offset; mark = marks[next]) {
        const [from, to] = [Math.max(mark.from, start), Math.min(mark.to, offset)];
        if (from > done) drawn.push(text.slice(done - start, from - start));
        const part = {
          text: text.slice(from - start, to - start),
          key: `mark ${from}`,
          isEnd: to === mark.to,
          isInLink,
        };
        drawn.push(draw(mark, part));
        done = to;
        if (!part.isEnd) break;
        next += 1;
      }
      if (done === start) return text;
      if (done < offset) drawn.push(text.slice(done - start));
      return drawn;
    },
    border() {
      offset += BLOCK_END.length;
    },
  });
}

function visit(node: ReactNode, place: Place, visitor: Visitor): ReactNode {
  if (typeof node === 'string') return visitor.text(node, place);
  if (Array.isArray(node)) return node.map((inner: ReactNode) => visit(inner, place, visitor));
  if (!isValidElement(node)) return node;
  const { type, props } = node as ReactElement<{ children?: ReactNode }>;
  const isBlock = typeof type === 'string' && !PHRASES.has(type);
  if (isBlock) visitor.border();
  const here = {
    isInLink: place.isInLink || type === 'a',
    isHeading: place.isHeading || (typeof type === 'string' && /^h[1-6]$/.test(type)),
  };
  const children = visit(props.children, here, visitor);
  if (isBlock) visitor.border();
  // Spread, the children are as fixed as before, and need no keys.
  return Array.isArray(props.children)
    ? cloneElement(node, undefined, ...(children as ReactNode[]))
    : cloneElement(node, undefined, children);
}
