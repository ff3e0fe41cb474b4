import type { LlmReference } from '../../contract/schemas/llmReference.ts';

/**
 * Whether a text names a configuration: `<connection>/<model>`, `<service>/<connection>/<model>`, or its model. Services and
 * connections are compared without regard to case.
 */
export function fitsReference(model: LlmReference, reference: string): boolean {
  if (reference === model.model) return true;
  const rest = withoutPrefix(reference, model.service) ?? reference;
  return [reference, rest].some((text) => withoutPrefix(text, model.connection_name) === model.model);
}

/** What follows `<prefix>/`; undefined for another prefix. */
function withoutPrefix(text: string, prefix: string): string | undefined {
  const begins = text.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() && text[prefix.length] === '/';
  return begins ? text.slice(prefix.length + 1) : undefined;
}
