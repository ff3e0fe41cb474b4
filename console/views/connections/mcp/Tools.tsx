import Checkbox from '@splunk/react-ui/Checkbox';
import Heading from '@splunk/react-ui/Heading';
import Message from '@splunk/react-ui/Message';
import Text from '@splunk/react-ui/Text';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { McpConnection, Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Spacer, Stack, StatusArea } from '../../../app/styles.ts';
import { Action } from '../../../parts/Action.tsx';
import { DataTable } from '../../../parts/table/DataTable.tsx';
import { StateBadge } from '../../../parts/text/Badge.tsx';
import { withVisibleCharacters } from '../../../parts/text/visible.ts';
import { Warnings } from '../../../parts/Warnings.tsx';
import { useWork, WorkState } from '../../../parts/work.tsx';
import { WaitingTool, WaitingTools } from './Acceptance.tsx';
import { afterAcceptance, isWaiting, type Tool } from './waiting.ts';

type ToolList = Reply<'listMcpTools'>;

/** The filter reaches the other rows. */
const MOST_ROWS = 100;

/** The tools of the server, their drift, and which of them agents may call. */
export default function Tools({ connection }: { connection: McpConnection }) {
  const { name, version } = connection;
  const client = useQueryClient();
  const refusal = useRefusal();
  const [listing, setListing] = useState<ToolList>();
  const [allowed, setAllowed] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState('');
  const work = useWork<'list' | 'save' | 'accept'>();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const [outcome, setOutcome] = useState('');
  const section = useRef<HTMLElement>(null);

  const list = () =>
    work.start('list', async () => {
      const reply = await ml.call('listMcpTools', { body: { name } });
      setListing(reply);
      setWarnings([]);
      setOutcome('');
      setAllowed(new Set(reply.data.tools.filter((tool) => tool.allowed).map((tool) => tool.name)));
      // Not awaited, so that the list can be used at once.
      void client.invalidateQueries({ queryKey: ['mcp'] });
    });
  const tools = listing?.data.tools ?? [];
  const save = () =>
    work.start('save', async () => {
      const isAll = tools.every((tool) => allowed.has(tool.name));
      await ml.call('updateMcpConnection', { body: { name, version, tools_allowed: isAll ? null : [...allowed] } });
      await client.invalidateQueries({ queryKey: ['mcp'] });
    });
  const accept = (chosen: readonly Tool[]) =>
    work.start('accept', async () => {
      setWarnings([]);
      setOutcome('');
      // The server may have changed a tool since the page showed it.
      const fingerprints = chosen.flatMap(({ fingerprint }) => fingerprint ?? []);
      const body = { name, tools: chosen.map((tool) => tool.name), fingerprints };
      const reply = await ml.call('acceptMcpTools', { body });
      const { accepted, changed, warnings: notes = [] } = reply;
      setWarnings(notes);
      setOutcome(
        changed.length === 0
          ? 'All tools are accepted.'
          : `${changed.length} of ${tools.length} tools still need to be accepted.`,
      );
      setListing((now) => now && { ...now, data: { ...now.data, tools: afterAcceptance(now.data.tools, accepted) } });
      // Its button is gone.
      section.current?.focus();
      await client.invalidateQueries({ queryKey: ['mcp'] });
    });
  const toggle = (tool: string) => {
    const next = new Set(allowed);
    if (!next.delete(tool)) next.add(tool);
    setAllowed(next);
  };
  const acceptance = {
    onAccept: accept,
    busy: work.running !== undefined,
    refusal: refusal('acceptMcpTools', connection),
  };
  const isMatching = (tool: Tool) =>
    `${tool.name} ${tool.description}`.toLowerCase().includes(filter.trim().toLowerCase());
  // Tools that wait are not beyond the end of the table.
  const matching = tools.filter(isMatching).sort((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)));
  const drift = listing?.data.drift;
  const hasDrift = drift && drift.added.length + drift.removed.length + drift.changed.length > 0;
  return (
    <section aria-label="Tools" ref={section} tabIndex={-1}>
      <Stack>
        <Row>
          <Heading level={3} style={{ margin: 0 }}>
            Tools
          </Heading>
          <Spacer />
          <Action
            label={listing ? 'List tools again' : 'List tools'}
            onClick={list}
            busy={work.running !== undefined}
            refusal={refusal('listMcpTools')}
          />
          {listing && (
            <Action
              label="Save allowed tools"
              appearance="primary"
              onClick={save}
              busy={work.running !== undefined}
              refusal={refusal('updateMcpConnection', connection)}
            />
          )}
        </Row>
        <WorkState
          work={work}
          {...(work.running === 'list' && { what: 'the list of tools' })}
          record={{ family: 'mcp-connections', name }}
        />
        <Warnings texts={warnings} onRead={() => setWarnings([])} />
        <StatusArea>{outcome}</StatusArea>
        <WaitingTools tools={tools} {...acceptance} />
        {hasDrift && (
          <Message type="warning" appearance="fill">
            <strong>The tools have changed since the last listing.</strong>
            <Drift label="added" names={drift.added} />
            <Drift label="removed" names={drift.removed} />
            <Drift label="changed" names={drift.changed} />
          </Message>
        )}
        {tools.length > 0 && (
          <>
            <Text
              value={filter}
              placeholder="Filter tools"
              aria-label="Filter tools"
              onChange={(_event, { value }) => setFilter(value)}
            />
            <DataTable
              label={`Tools of ${name}`}
              heads={[{ label: 'Allowed', width: 90 }, { label: 'Tool' }]}
              rows={matching.slice(0, MOST_ROWS).map((tool) => ({
                key: tool.name,
                cells: [
                  <Checkbox
                    key="allowed"
                    checked={allowed.has(tool.name)}
                    aria-label={`Allow ${tool.name}`}
                    onChange={() => toggle(tool.name)}
                  />,
                  <div key="tool">
                    <strong>{withVisibleCharacters(tool.name)}</strong> <DriftOf name={tool.name} drift={drift} />
                    <div>{withVisibleCharacters(tool.description)}</div>
                    <WaitingTool tool={tool} {...acceptance} />
                  </div>,
                ],
              }))}
            />
            <small>
              {matching.length > MOST_ROWS ? `${MOST_ROWS} of ` : ''}
              {matching.length} of {tools.length} tools; {allowed.size} allowed
            </small>
          </>
        )}
      </Stack>
    </section>
  );
}

type Changes = { added: string[]; removed: string[]; changed: string[] };

function DriftOf({ name, drift }: { name: string; drift: Changes | undefined }) {
  if (drift?.added.includes(name)) return <StateBadge tone="info">new</StateBadge>;
  return drift?.changed.includes(name) ? <StateBadge tone="warning">changed</StateBadge> : null;
}

const Drift = ({ label, names }: { label: string; names: readonly string[] }) =>
  names.length === 0 ? null : (
    <div>
      {label}: {names.join(', ')}
    </div>
  );
