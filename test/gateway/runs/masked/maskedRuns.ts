import { expect } from 'chai';
import type { MaskingPolicy } from '../../../../src/masking/masking.ts';
import { ALL, applyPolicies } from '../../masking/policies.ts';
import { type RunsApp, runsApp } from '../runsApp.ts';

/** An app for runs whose model sees no value. */
export async function maskedRuns(policy: Partial<MaskingPolicy> = {}): Promise<RunsApp> {
  const runs = await runsApp();
  applyPolicies(runs.app, { kinds: ALL, operations: ['chat'], ...policy });
  return runs;
}

/** The first placeholder with this label in a text. */
export function wordOf(label: string, text: string): string {
  const [word] = new RegExp(`\\b${label}-[a-z0-9]{10}\\b`).exec(text.replaceAll('ipint-k7m2q9xw4d', '')) ?? [];
  expect(word, text).to.be.a('string');
  return word ?? '';
}

/** Texts that the model got. */
export const seenByModel = (runs: RunsApp): string => runs.app.llm.calls.map(({ body }) => body ?? '').join('\n');

/** Arguments that tools got. */
export const madeCalls = (runs: RunsApp): unknown[] => runs.app.peers.calls.map((call) => call.arguments);
