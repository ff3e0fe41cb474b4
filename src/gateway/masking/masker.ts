import { hkdfSync } from 'node:crypto';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { MaskedOperation } from '../../contract/families/masking.ts';
import type { LlmReference } from '../../contract/schemas/llmReference.ts';
import { type MaskedTexts, MaskingFailure, type MaskingParts, maskTexts } from '../../masking/masking.ts';
import { type MaskedContent, maskContent, type Outgoing, unmasked, type Walk } from '../../masking/outgoing.ts';
import type { MeteredUse } from '../../metering/meteredUse.ts';
import type { RequestContext } from '../context.ts';

/** Within a scope equal values have one placeholder; two scopes cannot be linked. */
export type MaskingScope = readonly ['run' | 'search' | 'conversation' | 'model' | 'store', ...string[]];

/** A content on its way to a target. */
export interface MaskingTask {
  operation: MaskedOperation;
  target: LlmReference;
  /** By which the target was called. */
  alias?: string | undefined;
  scope: MaskingScope;
  /** Named fields that are masked besides those of policies. */
  fields?: readonly string[] | undefined;
  /** Rows that the texts were made of. */
  rows?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Number of images and files, which cannot be read. */
  images?: number | undefined;
}

/** The result of masking; `masked` is absent where no policy applies. */
export interface MaskedFor<T extends object> {
  content: Outgoing<T>;
  masked?: MaskedContent<T>;
}

export interface MaskingContext {
  deps: Pick<RequestContext, 'masking' | 'stores'>;
  caller: Caller;
  use: Pick<MeteredUse, 'countMasked'>;
  /** @see OperationContext */
  mayWithhold?: ((text: string) => boolean) | undefined;
}

/**
 * Masks a content for one target of a use by the policies that apply to it now.
 * @throws Fault `content_refused`, `masking_failed`, `store_unavailable`
 */
export async function maskFor<T extends object>(
  { deps: { masking, stores }, caller, use, mayWithhold }: MaskingContext,
  { operation, target, alias, scope, fields = [], rows, images = 0 }: MaskingTask,
  content: T,
  walk: Walk<T>,
): Promise<MaskedFor<T>> {
  const { service, connection_name } = target;
  const asked = { operation, service, connection_name, alias, roles: caller.roles };
  const { policies, refusesImages } = await masking.policies.applying(stores.records, asked);
  if (refusesImages && images > 0) throw contentRefused({ image: images });
  const named = fields.length > 0 ? [{ kinds: { field: 'mask' as const }, fields }] : [];
  const inForce = [...policies, ...named];
  if (inForce.length === 0) return { content: unmasked(content) };
  const [{ judgePhone, clock }, secret] = await Promise.all([masking.tools(), masking.secret(stores)]);
  const parts: MaskingParts = { policies: inForce, key: scopeKey(secret, scope), clock, judgePhone };
  let masked = failsClosed(() => maskContent(content, walk, parts, rows));
  if (isRefused(masked) && mayWithhold) {
    const withheld = (text: string) => (mayWithhold(text) ? withoutRefused(text, parts, rows) : text);
    masked = failsClosed(() =>
      maskContent(
        walk(
          content,
          withheld,
          () => {},
          () => {},
        ),
        walk,
        parts,
        rows,
      ),
    );
  }
  if (isRefused(masked)) throw contentRefused(masked.refused);
  use.countMasked(masked.counts);
  return { content: masked.content, masked };
}

const isRefused = ({ refused }: Pick<MaskedTexts, 'refused'>): boolean => Object.keys(refused).length > 0;

/** A text, or why it is withheld. @throws MaskingFailure */
function withoutRefused(text: string, parts: MaskingParts, rows: MaskingTask['rows']): string {
  const alone = maskTexts([text], parts, rows);
  if (!isRefused(alone)) return text;
  const { code, message } = contentRefused(alone.refused);
  return `${code}: ${message}`;
}

/** @throws Fault `masking_failed` for a failure of the masker; it carries no cause, which may hold values */
function failsClosed<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof MaskingFailure ? maskingFailed(error) : error;
  }
}

export function maskingFailed({ reason }: MaskingFailure): Fault {
  const isLate = reason === 'time';
  const why = {
    time: 'masking took too long',
    residue: 'a value that had to be masked was still in the finished request',
    unreadable: 'tokens cannot be masked: send texts (clients that split texts themselves have a setting for it)',
    error: 'masking failed',
  }[reason];
  const message = `The request was not sent, since ${why}`;
  return new Fault('masking_failed', message, isLate ? {} : { should_retry: false });
}

/** @param counts number of places by kind */
function contentRefused(counts: Readonly<Record<string, number>>): Fault {
  const kinds = Object.entries(counts).map(([kind, count]) => ({ kind, count }));
  const words = kinds.map(({ kind, count }) => `${kind} (${count})`).join(', ');
  return new Fault('content_refused', `A masking policy refuses content of these kinds: ${words}`, { kinds });
}

const KEY_BYTES = 32;

const scopeKey = (secret: Uint8Array, scope: MaskingScope): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', JSON.stringify(scope), KEY_BYTES));
