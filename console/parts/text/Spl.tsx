import Link from '@splunk/react-ui/Link';
import { Row, Stack } from '../../app/styles.ts';
import { searchUrl } from '../../app/url.ts';
import { Code } from './Code.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Fold } from './Fold.tsx';

/** A search to copy or to open. */
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

export function FoldedSpl({ title, search }: { title: string; search: string }) {
  return (
    <Fold title={title}>
      <Spl search={search} />
    </Fold>
  );
}
