import { variables } from '@splunk/themes';
import styled from 'styled-components';
import { KIND_WORDS } from '../../../parts/runs/words.ts';
import { durationWords } from '../../../parts/text/format.ts';
import type { Share, Span } from './spans.ts';

const COLOURS = {
  model: variables.categoricalA2Strong,
  tool: variables.categoricalA4Strong,
  retrieve: variables.categoricalA1Strong,
  invoke: variables.categoricalA3Strong,
  between: variables.neutral300,
} as const;
const WORDS: Readonly<Record<Share, string>> = { ...KIND_WORDS, between: 'Between steps' };

/** How the time of a run was spent, as a bar and in words. */
export function Shares({ shares, total }: { shares: ReadonlyMap<Share, number>; total: number }) {
  const entries = [...shares];
  return (
    <figure aria-label="Where the time went" style={{ margin: 0 }}>
      <Track aria-hidden="true" style={{ display: 'flex' }}>
        {entries.map(([share, ms]) => (
          <Part key={share} $share={share} style={{ width: percent(ms, total) }} />
        ))}
      </Track>
      <Legend>
        {entries.map(([share, ms]) => (
          <span key={share}>
            <Square $share={share} aria-hidden="true" /> {WORDS[share]} {durationWords(ms)}
          </span>
        ))}
      </Legend>
    </figure>
  );
}

/** When a step was under way, within its run. */
export function SpanBar({ kind, span, total }: { kind: Share; span: Span; total: number }) {
  return (
    <Track aria-hidden="true">
      <Part
        $share={kind}
        style={{
          marginLeft: `min(${percent(span.from, total)}, calc(100% - 2px))`,
          width: percent(span.length, total),
        }}
      />
    </Track>
  );
}

const percent = (part: number, total: number): string => `${total === 0 ? 0 : (100 * part) / total}%`;

const Track = styled.div`
  overflow: hidden;
  background: ${variables.neutral200};
`;

const Part = styled.div<{ $share: Share }>`
  box-sizing: border-box;
  min-width: 2px;
  height: 6px;
  background: ${({ $share }) => COLOURS[$share]};
`;

const Legend = styled.figcaption`
  display: flex;
  flex-wrap: wrap;
  gap: 4px 16px;
  padding-top: 4px;
  font-size: 13px;
`;

const Square = styled.span<{ $share: Share }>`
  display: inline-block;
  width: 9px;
  height: 9px;
  background: ${({ $share }) => COLOURS[$share]};
`;
