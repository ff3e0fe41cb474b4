import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { IsPlanned } from '../../contract/rows/internalCalls.ts';
import { type ReferenceSite, resolveLentModel, resolveModel } from '../model-aliases/public.ts';

const FIELD = 'details.embedding_model';

/** Stores that embed by themselves name no model. */
const modelIn = (details: object | undefined): string | undefined =>
  (details as { embedding_model?: string } | undefined)?.embedding_model;

/**
 * Checks that whoever writes a store may use the model that it lends to its readers.
 * @param before details of the stored record; a reference that stays is not checked again
 * @throws Fault `unknown_reference`, `ambiguous_reference`
 */
export async function assertMayLend(
  site: ReferenceSite,
  caller: Caller,
  details: object | undefined,
  before: object | undefined,
  isPlanned: IsPlanned = () => false,
): Promise<void> {
  const reference = modelIn(details);
  if (typeof reference !== 'string' || reference === modelIn(before)) return;
  if (isPlanned('model_aliases', reference) || isPlanned('llm-providers', reference)) return;
  try {
    await resolveModel(site, caller, reference);
    // Readers borrow it without the writer's rights, under which the text may fit more.
    await resolveLentModel(site, reference);
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== 'not_found' && error.code !== 'ambiguous_reference')) throw error;
    const code = error.code === 'not_found' ? 'unknown_reference' : error.code;
    const { candidates } = error.extra;
    const errors = [{ field: FIELD, message: error.message }];
    throw new Fault(code, `${FIELD}: ${error.message}`, { ...(candidates ? { candidates } : {}), errors });
  }
}
