import Link from '@splunk/react-ui/Link';
import { PageControl } from '@splunk/react-ui/Paginator';
import Text from '@splunk/react-ui/Text';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Row, Spacer, Stack } from '../../app/styles.ts';
import { useUrl } from '../../app/url.ts';
import { Action } from '../Action.tsx';
import type { ListQuery, Resource } from '../panel/resource.ts';
import { formatCount } from '../text/format.ts';
import { Time } from '../text/Time.tsx';
import { ReadState } from '../work.tsx';
import { DataTable } from './DataTable.tsx';
import { Filters, filtersIn } from './Filters.tsx';
import { Empty } from './States.tsx';

/** One request per pause in typing. */
const PAUSE_MS = 300;
const PAGE_SIZE = 30;
const POLL_MS = 30_000;

/** A list that the server searches, sorts and pages; its state is in the address. */
export function ListTable<R extends object>({ resource, actions }: { resource: Resource<R>; actions?: ReactNode }) {
  const { many, columns, sortedBy, nameOf, filters = [] } = resource;
  const [url, go] = useUrl();
  const search = url.get('q') ?? '';
  const sort = url.get('sort') ?? sortedBy.key;
  const dir = url.get('dir') === 'desc' || (!url.has('dir') && sortedBy.dir === 'desc') ? 'desc' : 'asc';
  const page = Math.max(1, Number(url.get('page')) || 1);
  const chosen = filtersIn(url, filters);
  const offset = (page - 1) * PAGE_SIZE;
  const query: ListQuery = {
    ...chosen,
    ...(search ? { search } : {}),
    ...(sort ? { sort_key: sort, sort_dir: dir } : {}),
    ...{ count: PAGE_SIZE, offset },
  };
  const read = useRead({
    queryKey: [resource.key, 'list', query],
    // Rows and range stay those of the earlier page until the next one is loaded.
    queryFn: async ({ signal }) => ({ ...(await resource.list(query, signal)), offset }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => resource.pollMs?.(state.data?.items ?? []) ?? POLL_MS,
  });
  const { data, isPlaceholderData, dataUpdatedAt, refetch } = read;
  const pages = Math.ceil((data?.total ?? 0) / PAGE_SIZE);
  // The last page may have become empty.
  useEffect(() => {
    if (data && !isPlaceholderData && pages > 0 && page > pages) go({ page: String(pages) }, 'replace');
  }, [data, isPlaceholderData, pages, page, go]);

  const isFiltered = search !== '' || Object.keys(chosen).length > 0;
  const noFilters = Object.fromEntries(filters.map(({ name }) => [name, undefined]));
  const isEmpty = data?.total === 0 && !isFiltered;
  return (
    <Stack>
      <Row>
        <SearchBox value={search} label={`Search ${many}`} onChange={(q) => go({ q, page: undefined }, 'replace')} />
        <Filters filters={filters} />
        {/* Wraps as one group. */}
        <Row style={{ marginLeft: 'auto', justifyContent: 'flex-end' }}>
          {dataUpdatedAt > 0 && (
            <small>
              Updated <Time at={dataUpdatedAt / 1000} />
            </small>
          )}
          <Action label="Refresh" onClick={() => refetch()} />
          {/* Not before the list is read: the button would move away from under a click where the list is empty. */}
          {!read.isPending && !isEmpty && actions}
        </Row>
      </Row>
      <ReadState read={read} what={many} />
      {data?.total === 0 &&
        (!isEmpty ? (
          <Empty title={`No ${many} match`}>
            <Action
              label={filters.length > 0 ? 'Clear search and filters' : 'Clear the search'}
              onClick={() => go({ ...noFilters, q: undefined, page: undefined })}
            />
          </Empty>
        ) : (
          <Empty title={`No ${many} yet`} action={actions}>
            {resource.about}
          </Empty>
        ))}
      {data && data.items.length > 0 && (
        <>
          <DataTable
            label={many}
            heads={columns}
            sorted={{ key: sort, dir }}
            onSort={(key) => go({ sort: key, dir: key === sort && dir === 'asc' ? 'desc' : 'asc', page: undefined })}
            isStale={isPlaceholderData}
            rows={data.items.map((record) => ({
              key: nameOf(record),
              cells: columns.map(({ cell }, index) =>
                index === 0 ? (
                  <RecordLink key="name" name={nameOf(record)}>
                    {cell(record)}
                  </RecordLink>
                ) : (
                  cell(record)
                ),
              ),
            }))}
          />
          <Row>
            <small>
              {formatCount(data.offset + 1)}–{formatCount(data.offset + data.items.length)} of {formatCount(data.total)}
            </small>
            <Spacer />
            {pages > 1 && (
              <PageControl
                current={page}
                totalPages={pages}
                onChange={(_event, { page: next }) => go({ page: next === 1 ? undefined : String(next) })}
              />
            )}
          </Row>
        </>
      )}
    </Stack>
  );
}

/** Opens the panel of a record, also in another tab. */
function RecordLink({ name, children }: { name: string; children: ReactNode }) {
  const [url, go] = useUrl();
  const query = new URLSearchParams(url);
  query.set('name', name);
  return (
    <Link
      to={`?${query}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go({ name });
      }}
    >
      {children}
    </Link>
  );
}

function SearchBox({ value, label, onChange }: { value: string; label: string; onChange(value: string): void }) {
  const [typed, setTyped] = useState(value);
  const applied = useRef(value);
  // Back, Forward and links change the address without typing.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === applied.current) return;
    const timer = setTimeout(() => {
      applied.current = typed;
      onChange(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div style={{ flex: '1 0 280px', maxWidth: 'min(340px, 100%)' }}>
      <Text
        type="search"
        canClear
        value={typed}
        placeholder={label}
        aria-label={label}
        onChange={(_event, change) => setTyped(change.value)}
      />
    </div>
  );
}
