import type { LlmReference } from '../../contract/schemas/llmReference.ts';

/** Service and connection of models in containers; their model is the name of the container. */
export const CONTAINER = 'container';
const IN_CONTAINER = /^(?:container\/)?container\/(.+)$/i;

/** The container that `container/<model>` or `container/container/<model>` names, whatever runs. */
export const containerIn = (reference: string): string | undefined => IN_CONTAINER.exec(reference)?.[1];

/**
 * Whether a text names a configuration: `<connection>/<model>`, `<service>/<connection>/<model>`, or its model. Services and
 * connections are compared without regard to case, and so are containers.
 */
export function fitsReference(model: LlmReference, reference: string): boolean {
  if (model.service === CONTAINER) return containerIn(reference)?.toLowerCase() === model.model.toLowerCase();
  if (reference === model.model) return true;
  const unprefixed = withoutPrefix(reference, model.service) ?? reference;
  return [reference, unprefixed].some((text) => withoutPrefix(text, model.connection_name) === model.model);
}

/** The text after `<prefix>/`; undefined for another prefix. */
function withoutPrefix(text: string, prefix: string): string | undefined {
  const begins = text.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() && text[prefix.length] === '/';
  return begins ? text.slice(prefix.length + 1) : undefined;
}
