import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { PageControl } from '@splunk/react-ui/Paginator';
import type { ReactNode } from 'react';
import { Columns, Row, Spacer, Stack } from '../../../app/styles.ts';
import { searchUrl, useUrl } from '../../../app/url.ts';
import { DataTable, type Head } from '../../../parts/table/DataTable.tsx';

const PAGE_SIZE = 10;

interface ChartAndTableProps {
  title: string;
  /** Id of the table. */
  id: string;
  heads: readonly Head[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** Key of the table's page in the address. */
  page: string;
  /** Shows numbers of an earlier question. */
  isStale: boolean;
  /** The same events in the platform's search; undefined without an index. */
  search: string | undefined;
  /** The chart. */
  children: ReactNode;
}

/** A chart with its numbers beside it. */
export function ChartAndTable({ title, id, heads, rows, page, isStale, search, children }: ChartAndTableProps) {
  const [url, go] = useUrl();
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_SIZE));
  const current = Math.min(pages, Math.max(1, Number(url.get(page)) || 1));
  return (
    <section aria-label={title}>
      <Stack>
        <Row>
          <Heading level={2} style={{ margin: 0 }}>
            {title}
          </Heading>
          <Spacer />
          {search !== undefined && (
            <Link to={searchUrl(search)} openInNewContext aria-label={`Open in search: ${title}`}>
              Open in search
            </Link>
          )}
        </Row>
        <Columns>
          <div>{children}</div>
          <Stack id={id}>
            <DataTable
              label={title}
              heads={heads}
              rows={rows.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE)}
              isStale={isStale}
            />
            {pages > 1 && (
              <PageControl
                current={current}
                totalPages={pages}
                onChange={(_event, { page: next }) => go({ [page]: next === 1 ? undefined : String(next) })}
              />
            )}
          </Stack>
        </Columns>
      </Stack>
    </section>
  );
}
