import Chip from '@splunk/react-ui/Chip';

export type Tone = 'success' | 'warning' | 'error' | 'info' | 'outline';

/** A state in words; the colour only repeats it. */
export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  return <Chip appearance={tone}>{children}</Chip>;
}
