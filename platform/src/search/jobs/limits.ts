import { mergedConf } from '../../apps/apps.ts';
import type { HostedApp } from '../../apps/hostedApp.ts';

export const MAX_RESULT_ROWS = 50_000;

/**
 * `maxresultrows` of limits.conf, maximum rows per chunk: from an app's stanza if there is one, else the platform's.
 */
export function maxResultRows(apps: readonly HostedApp[]): number {
  const { limits, searchresults } = mergedConf(apps, 'limits');
  const rows = Number(limits?.maxresultrows ?? searchresults?.maxresultrows);
  return Number.isSafeInteger(rows) && rows > 0 ? rows : MAX_RESULT_ROWS;
}
