import { API_PORT } from '../../../ports/engines/containerEngine.ts';
import type { Settings } from '../../../ports/stores/settings.ts';
import { AUTO } from '../../../predictions/containers/registry.ts';

export interface CatalogImage {
  key: string;
  label: string;
  /** repo + name:tag */
  image: string;
  /** Lower case: `none`, `nvidia`. */
  runtimes: string[];
  /** As it is written; default `auto`. */
  protocol: string;
  /** As it is written; default 5000. */
  apiPort: string;
  /** As it is written; '' = that of the connection. */
  https: string;
  /** Arguments of the image's entry point. */
  arguments: string;
}

/** `ml_images.conf`, one stanza per key. Stanzas without an image are ignored, such as the platform's default stanza. */
export async function readCatalog(images: Settings): Promise<CatalogImage[]> {
  const stanzas = Object.entries(await images.read());
  return stanzas
    .filter(([key, stanza]) => key !== 'default' && stanza.image?.trim())
    .map(([key, stanza]) => ({
      key,
      label: stanza.title?.trim() || key,
      image: `${stanza.repo?.trim() ?? ''}${stanza.image?.trim() ?? ''}`,
      runtimes: (stanza.runtime?.trim() || 'none').split(',').map((name) => name.trim().toLowerCase()),
      protocol: stanza.protocol?.trim().toLowerCase() || AUTO,
      apiPort: stanza.api_port?.trim() || API_PORT,
      https: stanza.https?.trim() ?? '',
      arguments: stanza.arguments?.trim() ?? '',
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

export function catalogMap(catalog: readonly CatalogImage[]): Record<string, { label: string; image: string }> {
  return Object.fromEntries(catalog.map(({ key, label, image }) => [key, { label, image }]));
}
