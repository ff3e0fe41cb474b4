import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import type { ResourceFamily } from '../../../client/src/index.ts';
import { Stack } from '../../app/styles.ts';
import { FAMILIES, newUrl, recordUrl } from '../../parts/families.ts';
import { FactList } from '../../parts/panel/FactList.tsx';
import type { Count } from './counts.ts';

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The counts of each kind, as links. */
export function Counts({ counts }: { counts: readonly (readonly [ResourceFamily, Count])[] }) {
  return (
    <FactList
      title="Counts"
      rows={counts.map(([family, count]) => {
        const words = FAMILIES[family].labels[1];
        return [
          capital(words),
          typeof count === 'number' ? (
            <Link
              key={family}
              to={recordUrl(family)}
              aria-label={`${count} ${count === 1 ? FAMILIES[family].labels[0] : words}`}
            >
              {count}
            </Link>
          ) : (
            count.why
          ),
        ];
      })}
    />
  );
}

export function FirstSteps() {
  return (
    <section aria-label="First steps">
      <Stack>
        <Heading level={2}>First steps</Heading>
        <ol>
          <li>
            <Link to={newUrl('llm-providers')}>Connect a language model</Link>: agents need one.
          </li>
          <li>
            <Link to={newUrl('mcp-connections')}>Connect an MCP server</Link>: agents use its tools.
          </li>
          <li>
            <Link to={newUrl('container-connections')}>Connect a container engine</Link>: models run in it.
          </li>
          <li>
            <Link to={newUrl('agents')}>Create an agent</Link>: prompts, a model and tools.
          </li>
        </ol>
      </Stack>
    </section>
  );
}
