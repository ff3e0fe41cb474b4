import type { ElementType, Key } from 'react';
import { Fragment, jsx as makeOne, jsxs as makeSeveral } from 'react/jsx-runtime';
import { escapeMisleading } from './visible.ts';

type Props = Record<string, unknown>;

/** Properties that components or styles show, or that screen readers read. */
const SHOWN = [
  ...['children', 'label', 'title', 'help', 'placeholder', 'labelText', 'prefixLabel'],
  ...['aria-label', 'aria-valuetext', 'data-label'],
];

function shownOf(value: unknown): unknown {
  if (typeof value === 'string') return escapeMisleading(value);
  if (!Array.isArray(value)) return value;
  const shown = value.map(shownOf);
  return shown.some((entry, index) => entry !== value[index]) ? shown : value;
}

function escapedProps(props: Props): Props {
  let shown = props;
  for (const name of SHOWN) {
    const next = shownOf(props[name]);
    if (next !== props[name]) shown = { ...shown, [name]: next };
  }
  return shown;
}

/**
 * The functions that JSX is compiled to: characters that mislead are escaped in all text that a page shows, whoever wrote it. Values of fields
 * are not.
 */
export const jsx = (type: ElementType, props: Props, key?: Key) => makeOne(type, escapedProps(props), key);
export const jsxs = (type: ElementType, props: Props, key?: Key) => makeSeveral(type, escapedProps(props), key);
export { Fragment };
