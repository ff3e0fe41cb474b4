import type { AuditEntry } from '../../../client/src/index.ts';
import type { Tone } from '../../parts/text/Badge.tsx';

/** `tool list`, of tool_list. */
export const actionWords = (action: AuditEntry['action']): string => action.replaceAll('_', ' ');

export const OUTCOME_TONES: Readonly<Record<AuditEntry['outcome'], Tone>> = {
  success: 'success',
  fail: 'error',
  unknown: 'warning',
};

export const WAYS: Readonly<Record<AuditEntry['via'], string>> = {
  rest: 'over REST',
  search: 'from a search',
  worker: 'by the app',
};
