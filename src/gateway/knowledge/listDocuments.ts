import type { Static } from 'typebox';
import { counted } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { openCatalogue } from '../../families/vector-stores/public.ts';
import type { GatewaySite } from '../context.ts';
import type { DocumentListQuery } from './schemas.ts';

/** @throws Fault `not_found`, `acl_denied`, `not_supported` */
export async function listDocuments(
  { stores, plans }: Pick<GatewaySite, 'stores' | 'plans'>,
  caller: Caller,
  { store, ...query }: Static<typeof DocumentListQuery>,
) {
  const page = await (await openCatalogue(stores, plans, caller, store)).list(query);
  return { ...page, message: counted(page.pagination.total, 'document') };
}
