import type { Run } from '../../../client/src/index.ts';
import { StateBadge } from '../text/Badge.tsx';
import { RUN_WORDS } from './words.ts';

export function RunState({ of: { state } }: { of: Pick<Run, 'state'> }) {
  const [words, tone] = RUN_WORDS[state];
  return <StateBadge tone={tone}>{words}</StateBadge>;
}
