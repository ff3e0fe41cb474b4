import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import Message from '@splunk/react-ui/Message';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useRefusal } from '../../api/rights.ts';
import { Row, Spacer, Stack } from '../../app/styles.ts';
import { Action } from '../../parts/Action.tsx';
import { FAMILIES, recordUrl } from '../../parts/families.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { StateBadge } from '../../parts/text/Badge.tsx';
import { FoldedSpl } from '../../parts/text/Spl.tsx';
import { Time } from '../../parts/text/Time.tsx';
import { ReadState, useWork, WorkState } from '../../parts/work.tsx';
import {
  agentConcerns,
  type Concern,
  connectionConcerns,
  containerConcerns,
  limitConcerns,
  stateWords,
} from './concerns.ts';

const POLL_MS = 30_000;
const KEY = ['attention'];

type Target = Concern | 'all';

/** Failing, expiring and broken records. */
export function Attention() {
  const client = useQueryClient();
  const refusal = useRefusal();
  const mayContainers = refusal('getContainerData') === undefined;
  const mayLimits = refusal('listUsageLimits') === undefined;
  const read = useRead({
    queryKey: [...KEY, mayContainers, mayLimits],
    // One after the other: a driver serves one request at a time.
    queryFn: async ({ signal }) => [
      ...(await connectionConcerns(signal)),
      // The list of connections includes the limits for users who may see all of them.
      ...(mayLimits ? [] : await limitConcerns(signal)),
      ...(await agentConcerns()),
      ...(mayContainers ? await containerConcerns() : []),
    ],
    refetchInterval: POLL_MS,
  });
  const work = useWork<string>();
  const { data } = read;
  const [results, setResults] = useState<readonly string[]>([]);

  const check = (target: Target) =>
    work.start(target === 'all' ? 'all connections' : target.name, async (signal) => {
      setResults([]);
      const connection = target === 'all' ? undefined : target.check;
      const body = { ...(connection ? { family: connection.family, names: [connection.name] } : {}), max_age_s: 0 };
      try {
        const { result, message, warnings = [] } = await ml.call('checkConnectionHealth', { body }, { signal });
        const states = result.map(({ name, state }) => `${name}: ${stateWords(state)}.`);
        setResults([...(connection ? states : [`${message}.`]), ...warnings]);
      } finally {
        await client.invalidateQueries({ queryKey: KEY });
      }
    });
  return (
    <section aria-label="Needs attention">
      <Stack>
        <Row>
          <Heading level={2} style={{ margin: 0 }}>
            Needs attention
          </Heading>
          <Spacer />
          <Action
            label="Check all connections"
            onClick={() => check('all')}
            busy={work.running !== undefined}
            refusal={refusal('checkConnectionHealth')}
          />
        </Row>
        <WorkState work={work} what={`the check of ${work.running}`} />
        {results.length > 0 && (
          <Message type="info" role="status">
            {results.map((text) => (
              <div key={text}>{text}</div>
            ))}
          </Message>
        )}
        <ReadState read={read} what="the state of the connections" />
        {data?.length === 0 && <div>Everything is healthy.</div>}
        {data && data.length > 0 && (
          <DataTable
            label="Needs attention"
            heads={[
              { label: 'Record', width: 220 },
              { label: 'State', width: 140 },
              { label: 'Reason and remedy', width: 380 },
              { label: 'Last test', width: 130 },
              { label: 'Check', width: 100 },
            ]}
            rows={data.map((concern) => rowOf(concern, check, work.running !== undefined))}
          />
        )}
        <FoldedSpl title="The connections as a search" search="| mlhealth" />
      </Stack>
    </section>
  );
}

function rowOf(concern: Concern, check: (concern: Concern) => void, isBusy: boolean) {
  const { family, name, state, tone, reason, code, remedy, testedAt } = concern;
  return {
    key: `${family} ${name}`,
    cells: [
      <div key="what">
        <Link to={recordUrl(family, name)}>{name}</Link>
        <div>
          <small>{FAMILIES[family].labels[0]}</small>
        </div>
      </div>,
      <StateBadge key="state" tone={tone}>
        {state}
      </StateBadge>,
      <div key="why">
        <div>{reason}</div>
        {remedy && <div>{remedy}</div>}
        {code && <code>{code}</code>}
      </div>,
      <Time key="tested" at={testedAt} />,
      concern.check ? (
        <Action key="check" label="Check" name={`Check ${name}`} busy={isBusy} onClick={() => check(concern)} />
      ) : (
        '–'
      ),
    ],
  };
}
