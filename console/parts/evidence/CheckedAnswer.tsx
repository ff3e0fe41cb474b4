import { variables } from '@splunk/themes';
import { type ReactNode, useCallback, useMemo } from 'react';
import styled from 'styled-components';
import type { RunEvidence, RunEvidenceEntity } from '../../../client/src/index.ts';
import { Columns, Stack } from '../../app/styles.ts';
import Drawn from '../markdown/Drawn.tsx';
import { drawMarkdown } from '../markdown/draw.ts';
import { MOST_CHARACTERS } from '../markdown/Markdown.tsx';
import { Code } from '../text/Code.tsx';
import { escapeMisleading } from '../text/visible.ts';
import { Entities } from './Entities.tsx';
import { type DrawMark, textOf, withMarks } from './markNodes.ts';
import { BLOCK_END, type Claim, findMarks } from './marks.ts';
import { Source } from './Source.tsx';
import { evidenceWords, STATUS_WORDS, sourceWords } from './words.ts';

interface CheckedAnswerProps {
  text: string;
  isMarkdown: boolean;
  evidence: RunEvidence;
  run_id: string;
}

/** An answer with marks at the values that were looked up in the run's data, and a list of these. */
export default function CheckedAnswer({ text, isMarkdown, evidence, run_id }: CheckedAnswerProps) {
  const { entities = [] } = evidence;
  const claims = useMemo(() => entities.map(claimOf), [entities]);
  const mark = useCallback(
    (nodes: ReactNode) => withMarks(nodes, findMarks(textOf(nodes), claims), drawMarks(entities, run_id)),
    [claims, entities, run_id],
  );
  const isLong = text.length > MOST_CHARACTERS;
  return (
    <Stack>
      <strong>{evidenceWords(evidence)}</strong>
      {isLong && entities.length > 0 && <small>The answer is too long to mark them in it.</small>}
      <Columns>
        {isMarkdown && !isLong ? (
          <Drawn text={text} change={mark} />
        ) : (
          <Code dir="auto">{isLong ? text : mark(escapeMisleading(text))}</Code>
        )}
        {entities.length > 0 && <Entities evidence={evidence} run_id={run_id} />}
      </Columns>
    </Stack>
  );
}

/** Longer ones are cut. */
const MOST_IN_ENTITY = 256;

function claimOf({ text, kind }: RunEvidenceEntity): Claim {
  return {
    texts: [escapeMisleading(text), textOf(drawMarkdown(text)).replaceAll(BLOCK_END, '')],
    isCased: kind === 'file' || kind === 'path',
    isCut: text.length >= MOST_IN_ENTITY,
  };
}

/** The first occurrence of a value that was found leads there: a text of many should not have many links to one place. */
function drawMarks(entities: readonly RunEvidenceEntity[], run_id: string): DrawMark {
  const linked = new Set<number>();
  return ({ claim }, { text, key, isEnd, isInLink }) => {
    const { status, by: [source] = [], why } = entities[claim] as RunEvidenceEntity;
    const [words] = STATUS_WORDS[status];
    const title = status === 'unverified' || source === undefined ? why : `${words} in ${sourceWords(source)}`;
    const tag = isEnd && status !== 'backed' && <Tag>{words}</Tag>;
    if (source === undefined || isInLink || linked.has(claim)) {
      return (
        <span key={key} title={title}>
          <Underlined $status={status}>{text}</Underlined>
          {tag}
        </span>
      );
    }
    if (isEnd) linked.add(claim);
    return (
      <span key={key}>
        <Source run_id={run_id} source={source} title={title}>
          {text}
        </Source>
        {tag}
      </span>
    );
  };
}

const LINES = { unverified: 'wavy', derived: 'dashed', backed: 'dotted' } as const;

const Underlined = styled.u<{ $status: RunEvidenceEntity['status'] }>`
  text-decoration: underline ${({ $status }) => LINES[$status]};
  text-underline-offset: 3px;
`;

/** Says what the line below the text means; it is not copied with the answer. */
const Tag = styled.small.attrs({ dir: 'ltr' })`
  && {
    font-size: 11px;
  }
  margin-inline-start: 4px;
  padding: 0 4px;
  white-space: nowrap;
  unicode-bidi: isolate;
  user-select: none;
  border: 1px solid ${variables.borderColor};
`;
