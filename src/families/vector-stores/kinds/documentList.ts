import type { Target } from '../../../resources/target.ts';
import type { StoreStored } from '../definition.ts';
import { Catalogue, type CatalogueStores } from '../documents/catalogue.ts';
import type { StoreKind } from './kind.ts';

/** The list of what the app wrote into an external store; undefined for a store that is not saved. */
export const catalogueOf = <S extends StoreStored>(
  { stores }: { stores: CatalogueStores },
  { saved, record }: Target<S>,
  { place }: StoreKind<S>,
): Catalogue | undefined => saved && new Catalogue(stores, saved, place?.(record.details));

/** @throws Error for a store that is not saved */
export function savedCatalogue(catalogue: Catalogue | undefined): Catalogue {
  if (!catalogue) throw new Error('documents are those of a saved store');
  return catalogue;
}
