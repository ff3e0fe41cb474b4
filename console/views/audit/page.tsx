import Heading from '@splunk/react-ui/Heading';
import { useRefusal, useWho } from '../../api/rights.ts';
import { Stack } from '../../app/styles.ts';
import { useUrl } from '../../app/url.ts';
import { filtersIn } from '../../parts/Filters.tsx';
import { ResourcePage } from '../../parts/ResourcePage.tsx';
import { FoldedSpl } from '../../parts/Spl.tsx';
import { Empty, Loading } from '../../parts/States.tsx';
import { AUDIT, FILTERS } from './resource.tsx';
import { searchOf } from './search.ts';

export default function Audit() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Audit
      </Heading>
      <Allowed />
    </Stack>
  );
}

function Allowed() {
  const [url] = useUrl();
  const { isPending } = useWho();
  const why = useRefusal()('listAudit');
  if (isPending) return <Loading what="your capabilities" />;
  if (why) return <Empty title="Who changed what">{`${why} to read the audit trail.`}</Empty>;
  return (
    <>
      <ResourcePage resource={AUDIT} />
      <FoldedSpl title="These entries as a search" search={searchOf(filtersIn(url, FILTERS))} />
    </>
  );
}
