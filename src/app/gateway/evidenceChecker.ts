import type { EvidenceChecker } from '../../ports/platform/evidenceChecker.ts';
import { lazy } from '../lazy.ts';

const IS_BUNDLE = import.meta.url.endsWith('.mjs');
/** The program of the thread that checks. */
const PROGRAM = new URL(IS_BUNDLE ? './evidence.mjs' : '../../main/evidenceChecker.ts', import.meta.url);

/** Checks of one process, which loads them for the first one. */
export function evidenceChecker(): EvidenceChecker {
  let loading: Promise<EvidenceChecker> | undefined;
  return lazy<EvidenceChecker>(() => {
    loading ??= import('../../adapters/evidence/evidenceChecker.ts').then(({ createEvidenceChecker }) =>
      createEvidenceChecker(PROGRAM),
    );
    return loading;
  });
}
