import Heading from '@splunk/react-ui/Heading';
import { variables } from '@splunk/themes';
import styled from 'styled-components';
import type { Experiment, SearchStage } from '../../../client/src/index.ts';
import { Row, Spacer, Stack } from '../../app/styles.ts';
import { FactList } from '../../parts/panel/FactList.tsx';
import type { Facts } from '../../parts/panel/resource.ts';
import { Code } from '../../parts/text/Code.tsx';
import { CopyButton } from '../../parts/text/CopyButton.tsx';
import { ROLES } from './words.tsx';

export default function Workflow({ experiment, facts }: { experiment: Experiment; facts: readonly Facts[] }) {
  const { data_source, search_stages = [] } = experiment;
  return (
    <>
      <section aria-label="Stages">
        <Stack>
          <Heading level={3} style={{ margin: 0 }}>
            Stages
          </Heading>
          {data_source?.search && <Search title="Data" search={data_source.search} copy="Copy SPL of the data" />}
          {search_stages.length === 0 && <div>No stages yet. Edit the experiment to add some.</div>}
          <Steps>
            {search_stages.map((stage, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a stage is told by its place
              <li key={index}>
                <Search
                  title={`${index + 1}. ${ROLES[stage.role]}`}
                  search={stage.search}
                  copy={`Copy SPL of stage ${index + 1}`}
                />
                <Details stage={stage} />
              </li>
            ))}
          </Steps>
        </Stack>
      </section>
      {facts.map((list) => (
        <FactList key={list.title ?? ''} {...list} />
      ))}
    </>
  );
}

function Search({ title, search, copy }: { title: string; search: string; copy: string }) {
  return (
    <div>
      <Row style={{ marginBottom: 4 }}>
        <strong>{title}</strong>
        <Spacer />
        <CopyButton label={copy} text={search} />
      </Row>
      <Code>{search}</Code>
    </div>
  );
}

function Details({ stage: { algorithm, model_name, fields, parameters } }: { stage: SearchStage }) {
  const rows = (
    [
      ['Algorithm', algorithm],
      ['Model', model_name],
      ['Fields', Array.isArray(fields) ? fields.join(', ') : fields && JSON.stringify(fields)],
      ['Parameters', parameters && JSON.stringify(parameters)],
    ] as const
  ).filter(([, value]) => value);
  return rows.length === 0 ? null : <FactList rows={rows} />;
}

const Steps = styled.ol`
  display: flex;
  flex-direction: column;
  gap: 16px;
  margin: 0;
  padding: 0 0 0 12px;
  list-style: none;
  border-left: 2px solid ${variables.neutral300};
`;
