import ControlGroup from '@splunk/react-ui/ControlGroup';
import Select from '@splunk/react-ui/Select';
import { useState } from 'react';
import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { NumberBox, TextBox } from '../../../parts/boxes.tsx';
import { useText } from '../../../parts/form/draft/useText.ts';
import { SwitchedOff } from '../../../parts/SwitchedOff.tsx';
import { ReadState, useWork, WorkState } from '../../../parts/work.tsx';
import { Columns } from '../Columns.ts';
import { useStores } from '../servers.ts';
import { Passages } from './Passages.tsx';

/** The proxy ends calls after 30 s. */
const TIMEOUT_S = 25;
const COUNT = 5;
const MOST = 100;
const KINDS = { '': 'The store decides', semantic: 'By meaning', hybrid: 'By meaning and words' } as const;
type Kind = keyof typeof KINDS;

/** A query for passages of a vector store. */
export default function RetrieveTab() {
  const [url, go] = useUrl();
  const refusal = useRefusal();
  const stores = useStores();
  const [query, setQuery] = useText('playground query');
  const [reply, setReply] = useState<Reply<'retrievePassages'>>();
  const work = useWork<'retrieve'>();
  const store = url.get('store') ?? '';
  const kind = (Object.keys(KINDS) as Kind[]).find((candidate) => candidate === url.get('by')) ?? '';
  const asked = Number(url.get('count') ?? COUNT);
  const count = Number.isInteger(asked) && asked >= 1 && asked <= MOST ? asked : COUNT;
  const names = stores.data ?? [];
  const options = store === '' || names.includes(store) ? names : [store, ...names];
  const missing = store === '' ? 'Choose a store first' : query.trim() === '' ? 'Enter a query first' : undefined;
  const retrieve = () =>
    work.start('retrieve', async (signal) => {
      setReply(undefined);
      const how = { number_of_results: count, timeout_s: TIMEOUT_S, ...(kind === '' ? {} : { search_type: kind }) };
      setReply(await ml.call('retrievePassages', { body: { store, query, ...how } }, { signal }));
    });
  return (
    <Stack style={{ marginTop: 12 }}>
      <SwitchedOff operations={['retrievePassages']} />
      <Columns>
        <Stack as="section" aria-label="Search settings">
          <ReadState read={stores} what="the vector stores" />
          <ControlGroup label="Vector store" labelPosition="top">
            <Select
              filter
              value={store}
              placeholder="Choose"
              onChange={(_event, { value }) => go({ store: String(value) }, 'replace')}
            >
              {options.map((name) => (
                <Select.Option key={name} label={name} value={name} />
              ))}
            </Select>
          </ControlGroup>
          <NumberBox
            label="Passages at most"
            value={count}
            min={1}
            max={MOST}
            onChange={(value) => go({ count: value === COUNT ? undefined : value?.toString() }, 'replace')}
          />
          <ControlGroup label="Search" labelPosition="top">
            <Select value={kind} onChange={(_event, { value }) => go({ by: String(value) }, 'replace')}>
              {Object.entries(KINDS).map(([value, label]) => (
                <Select.Option key={value} label={label} value={value} />
              ))}
            </Select>
          </ControlGroup>
        </Stack>
        <Stack style={{ minWidth: 0 }}>
          <TextBox label="Query" value={query} rows={[2, 8]} onChange={setQuery} />
          <Row>
            <Action
              label="Retrieve"
              appearance="primary"
              busy={work.running !== undefined}
              refusal={refusal('retrievePassages') ?? missing}
              onClick={retrieve}
            />
          </Row>
          <WorkState work={work} what={`the passages of ${store}`} record={{ family: 'vector-stores', name: store }} />
          {reply && <Passages reply={reply} />}
        </Stack>
      </Columns>
    </Stack>
  );
}
