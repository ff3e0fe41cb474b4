import type { MaskedContent } from '../../masking/outgoing.ts';
import type { RequestContext } from '../context.ts';
import type { MaskingScope } from './masker.ts';

/** Steps of a run and batches of a search agree in their placeholders, other uses those of one target. */
export function scopeOf({ run, sid }: RequestContext['origin'], target: string): MaskingScope {
  if (run) return ['run', run.id];
  return sid === undefined ? ['model', target] : ['search', sid];
}

/** Documents that are written into a store and queries of it agree in their placeholders, whoever asks. */
export const storeScope = (store: string): MaskingScope => ['store', store];

/** An answer with its values, and as it came, for sites that log contents. */
export interface ValuedAnswer<T> {
  answer: T;
  logged: T;
}

/** Puts values back in the texts of an answer that no model has written. @param masked absent where nothing was masked */
export const withValues = <T>(
  answer: T,
  masked: Pick<MaskedContent<object>, 'restorer'> | undefined,
): ValuedAnswer<T> => ({
  answer: masked ? masked.restorer.json(answer, { isStrict: true }) : answer,
  logged: answer,
});
