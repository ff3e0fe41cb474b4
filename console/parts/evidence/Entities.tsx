import { variables } from '@splunk/themes';
import styled from 'styled-components';
import type { RunEvidence, RunEvidenceEntity } from '../../../client/src/index.ts';
import { StateBadge } from '../text/Badge.tsx';
import { Fold } from '../text/Fold.tsx';
import { formatCount } from '../text/format.ts';
import { Source } from './Source.tsx';
import { ENTITY_WORDS, STATUS_WORDS } from './words.ts';

const MOST_SOURCES = 8;

/** The values that were looked up, those first that were not found. @param run_id of the run whose answer was checked */
export function Entities({ evidence, run_id }: { evidence: RunEvidence; run_id: string }) {
  const { entities = [], checked = 0 } = evidence;
  const missing = entities.filter(({ status }) => status === 'unverified');
  const others = entities.filter(({ status }) => status !== 'unverified');
  return (
    <section aria-label="Evidence">
      {missing.length > 0 && <EntityList label="Values that were not found" entities={missing} run_id={run_id} />}
      {others.length > 0 && (
        <Fold title={`Values that were found or derived (${formatCount(others.length)})`}>
          <EntityList label="Values that were found or derived" entities={others} run_id={run_id} />
        </Fold>
      )}
      {checked > entities.length && (
        <small>
          {`The list has ${formatCount(entities.length)} of ${formatCount(checked)} values; the counts are of all.`}
        </small>
      )}
    </section>
  );
}

interface EntityListProps {
  label: string;
  entities: readonly RunEvidenceEntity[];
  run_id: string;
}

const EntityList = ({ label, entities, run_id }: EntityListProps) => (
  <List aria-label={label}>
    {entities.map((entity, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: texts that were cut repeat, and the list never changes.
      <Entity key={index} entity={entity} run_id={run_id} />
    ))}
  </List>
);

function Entity({ entity: { text, kind, status, by, why }, run_id }: { entity: RunEvidenceEntity; run_id: string }) {
  const [words, tone] = STATUS_WORDS[status];
  return (
    <li>
      <bdi>{text}</bdi> <small>{ENTITY_WORDS[kind]}</small> <StateBadge tone={tone}>{words}</StateBadge>
      {(why !== undefined || by.length > 0) && (
        <Why>
          {why}
          {by.slice(0, MOST_SOURCES).map((source, index) => (
            <span key={JSON.stringify(source)}>
              {index > 0 ? '; ' : why === undefined ? '' : ': '}
              <Source run_id={run_id} source={source} />
            </span>
          ))}
          {by.length > MOST_SOURCES && `; ${formatCount(by.length - MOST_SOURCES)} more`}
        </Why>
      )}
    </li>
  );
}

const List = styled.ul`
  margin: 0;
  padding: 0;
  list-style: none;
  overflow-wrap: anywhere;

  > li {
    padding: 6px 0;
    border-top: 1px solid ${variables.neutral200};
  }
  bdi {
    font-family: ${variables.monoFontFamily};
    font-size: 13px;
    color: ${variables.contentColorActive};
  }
`;

const Why = styled.div`
  font-size: 13px;
`;
