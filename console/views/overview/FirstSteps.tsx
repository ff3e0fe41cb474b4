import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { variables } from '@splunk/themes';
import styled from 'styled-components';
import type { ResourceFamily } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Stack } from '../../app/styles.ts';
import { viewUrl } from '../../app/url.ts';
import { newUrl } from '../../parts/families.ts';
import { StateBadge } from '../../parts/text/Badge.tsx';
import { Fold } from '../../parts/text/Fold.tsx';
import type { Count } from './counts.ts';
import { hasAny, isEmptySite } from './steps.ts';

interface FirstStepsProps {
  counts: readonly (readonly [ResourceFamily, Count])[];
}

/** The way to the first agent, with what is done already. Folded once the site has something. */
export function FirstSteps({ counts }: FirstStepsProps) {
  const hasModel = hasAny(counts, 'llm-providers');
  const wasAsked = useWasAsked(hasModel);
  const steps = [
    ['Connect a language model', newUrl('llm-providers'), 'Agents and searches need one.', hasModel],
    ['Ask the model', viewUrl('playground'), 'In the playground.', wasAsked],
    [
      'Connect an MCP server',
      newUrl('mcp-connections'),
      'Agents and models use its tools.',
      hasAny(counts, 'mcp-connections'),
    ],
    ['Create an agent', newUrl('agents'), 'With prompts, a model and tools.', hasAny(counts, 'agents')],
  ] as const;
  const done = steps.filter(([, , , isDone]) => isDone).length;
  const list = (
    <Steps>
      {steps.map(([label, address, about, isDone]) => (
        <li key={label}>
          <Link to={address}>{label}</Link>
          <div>{about}</div>
          {isDone && <StateBadge tone="success">done</StateBadge>}
        </li>
      ))}
    </Steps>
  );
  return (
    <section aria-label="First steps">
      {isEmptySite(counts) ? (
        <Stack>
          <Heading level={2} style={{ margin: 0 }}>
            First steps
          </Heading>
          {list}
        </Stack>
      ) : (
        <Fold title={`First steps: ${done} of ${steps.length} done`}>{list}</Fold>
      )}
    </section>
  );
}

/** Whether a model has answered in the last 30 days, as far as the user sees. A failed read leaves the step open. */
function useWasAsked(hasModel: boolean): boolean {
  const { data } = useRead({
    queryKey: ['usage', 'asked'],
    queryFn: async ({ signal }) => (await ml.call('getUsage', { query: { by: 'operation' } }, { signal })).result,
    enabled: hasModel,
    retry: false,
  });
  return data?.some(({ operation, requests, failed }) => operation === 'chat' && requests > failed) ?? false;
}

const Steps = styled.ol`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(220px, 100%), 1fr));
  gap: 12px;
  margin: 0;
  padding: 0;
  list-style-position: inside;

  li {
    padding: 12px 16px;
    border: 1px solid ${variables.neutral200};
    background: ${variables.backgroundColorSection};
  }
`;
