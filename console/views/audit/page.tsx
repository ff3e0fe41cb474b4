import { AUDIT_INDEX } from '../../../src/contract/audit.ts';
import { readSettings } from '../../api/platform.ts';
import { useRead } from '../../api/queries.ts';
import { useRefusal, useWho } from '../../api/rights.ts';
import { useUrl } from '../../app/url.ts';
import { ResourcePage } from '../../parts/panel/ResourcePage.tsx';
import { filtersIn } from '../../parts/table/Filters.tsx';
import { Empty, Loading } from '../../parts/table/States.tsx';
import { FoldedSpl } from '../../parts/text/Spl.tsx';
import { AUDIT, FILTERS } from './resource.tsx';
import { searchOf } from './search.ts';

export default function Audit() {
  const { isPending } = useWho();
  const why = useRefusal()('listAudit');
  if (isPending) return <Loading what="your capabilities" />;
  if (why) return <Empty title="Who changed what">{`${why} to read the audit trail.`}</Empty>;
  return (
    <>
      <ResourcePage resource={AUDIT} />
      <AsSearch />
    </>
  );
}

/** The same entries in the index of the audit settings, if there is one. */
function AsSearch() {
  const [url] = useUrl();
  const { data, error } = useRead({
    queryKey: ['settings', 'audit'],
    queryFn: ({ signal }) => readSettings('audit', signal),
    staleTime: 60_000,
    retry: false,
  });
  const { index = AUDIT_INDEX } = data ?? {};
  if ((data === undefined && !error) || index.trim() === '') return null;
  return <FoldedSpl title="These entries as a search" search={searchOf(filtersIn(url, FILTERS), index.trim())} />;
}
