import Link from '@splunk/react-ui/Link';
import { Row, Stack } from '../app/styles.ts';
import { searchUrl } from '../app/url.ts';
import { Code } from './Code.tsx';
import { CopyButton } from './CopyButton.tsx';

/** A search to copy, or to open in the platform's own page for searches. */
export function Spl({ search }: { search: string }) {
  return (
    <Stack>
      <Code>{search}</Code>
      <Row>
        <CopyButton label="Copy the search" text={search} />
        <Link to={searchUrl(search)} openInNewContext>
          Open in Search
        </Link>
      </Row>
    </Stack>
  );
}

/** The same for whoever wants a search: most people never do, so it is folded away. */
export function FoldedSpl({ title, search }: { title: string; search: string }) {
  return (
    <details>
      <summary style={{ cursor: 'pointer' }}>{title}</summary>
      <div style={{ padding: '12px 0 0 16px' }}>
        <Spl search={search} />
      </div>
    </details>
  );
}

/** A value of a search, with what could end it escaped. */
export const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&')}"`;
