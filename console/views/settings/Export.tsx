import ControlGroup from '@splunk/react-ui/ControlGroup';
import Heading from '@splunk/react-ui/Heading';
import Message from '@splunk/react-ui/Message';
import Multiselect from '@splunk/react-ui/Multiselect';
import Text from '@splunk/react-ui/Text';
import { useState } from 'react';
import type { Reply } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRefusal } from '../../api/rights.ts';
import { Row, Stack } from '../../app/styles.ts';
import { Action } from '../../parts/Action.tsx';
import { FAMILIES } from '../../parts/families.ts';
import { useWork, WorkState } from '../../parts/work.tsx';
import { MOVABLE } from './documents.ts';

type ExportReply = Reply<'exportConfiguration'>;

/** Downloads the readable records without secrets. */
export function Export() {
  const refusal = useRefusal();
  const [families, setFamilies] = useState<readonly string[]>([]);
  const [names, setNames] = useState('');
  const work = useWork<'export'>();
  const [done, setDone] = useState<ExportReply>();
  const download = () =>
    work.start('export', async (signal) => {
      setDone(undefined);
      const query = { family: families.join(',') || undefined, name: names.trim() || undefined };
      const exported = await ml.call('exportConfiguration', { query }, { signal });
      save(`${JSON.stringify(exported.document, null, 2)}\n`);
      setDone(exported);
    });
  return (
    <section aria-label="Export">
      <Stack>
        <Heading level={2}>Export</Heading>
        <div>Download the records that you may read, without secrets.</div>
        <div style={{ maxWidth: 600 }}>
          <ControlGroup
            label="Kinds of records"
            labelPosition="top"
            help="Exports these kinds only; leave empty for all"
          >
            <Multiselect
              values={[...families]}
              placeholder="All"
              onChange={(_event, { values }) => setFamilies(values.map(String))}
            >
              {MOVABLE.map((family) => (
                <Multiselect.Option key={family} label={FAMILIES[family].labels[1]} value={family} />
              ))}
            </Multiselect>
          </ControlGroup>
          <ControlGroup
            label="Names of records"
            labelPosition="top"
            help="Exports these records only, comma-separated; leave empty for all"
          >
            <Text value={names} spellCheck={false} onChange={(_event, { value }) => setNames(value)} />
          </ControlGroup>
        </div>
        <Row>
          <Action
            label="Export to file"
            onClick={download}
            busy={work.running !== undefined}
            refusal={refusal('exportConfiguration')}
          />
        </Row>
        <WorkState work={work} what="the file" />
        {done && <Outcome exported={done} />}
      </Stack>
    </section>
  );
}

function Outcome({ exported: { document, not_included } }: { exported: ExportReply }) {
  const count = document.records.length;
  return (
    <Message type="success" role="status">
      <strong>
        {count} {count === 1 ? 'record' : 'records'} in ml_extension.json
      </strong>
      {not_included.map(({ what, why }) => (
        <div key={what}>
          Not included: {what}. {why}
        </div>
      ))}
    </Message>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: 'ml_extension.json' });
  link.click();
  URL.revokeObjectURL(url);
}
