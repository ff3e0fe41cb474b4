import { variables } from '@splunk/themes';
import type { ReactNode } from 'react';
import styled from 'styled-components';

export interface Head {
  label: string;
  width?: number | undefined;
  /** Sort key. */
  sort?: string | undefined;
}

interface DataTableProps {
  label: string;
  heads: readonly Head[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  sorted?: { key: string | undefined; dir: 'asc' | 'desc' };
  onSort?(key: string): void;
  /** Shows rows of an earlier query. */
  isStale?: boolean;
}

/** Wider tables show each row as a block in a narrow window, with its cells below each other. */
const MOST_COLUMNS = 2;

/** A plain HTML table: the library's own is half the size limit of a page (docs/adr/0009-the-console.md). */
export function DataTable({ label, heads, rows, sorted, onSort, isStale = false }: DataTableProps) {
  return (
    // Lets the keyboard scroll wide tables.
    <Scroll role="region" aria-label={`${label}, table`} tabIndex={0}>
      <StyledTable aria-label={label} aria-busy={isStale} data-blocks={heads.length > MOST_COLUMNS}>
        <thead>
          <tr>
            {heads.map(({ label: name, width, sort }, index) => (
              <th
                // Columns of data may have any name, also twice.
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity but their place
                key={index}
                scope="col"
                style={
                  name.length > LONGEST_LINE ? WRAPPED : width === undefined ? undefined : { width, minWidth: width }
                }
                aria-sort={sort !== undefined && sort === sorted?.key ? DIRECTIONS[sorted.dir] : undefined}
              >
                {sort === undefined || !onSort ? (
                  name
                ) : (
                  <button type="button" onClick={() => onSort(sort)}>
                    {name} <span aria-hidden="true">{sort === sorted?.key ? ARROWS[sorted.dir] : '↕'}</span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity but their place
                <td key={index} data-label={heads[index]?.label} style={{ minWidth: heads[index]?.width }}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </StyledTable>
    </Scroll>
  );
}

/** Letters of a head that stand in one line; names from elsewhere have hundreds. */
const LONGEST_LINE = 40;
const WRAPPED = { minWidth: 260, whiteSpace: 'normal', overflowWrap: 'anywhere' } as const;

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { asc: '↑', desc: '↓' } as const;

const Scroll = styled.div`
  position: relative;
  overflow-x: auto;
  border: 1px solid ${variables.neutral200};
`;

const StyledTable = styled.table`
  width: 100%;
  border-collapse: collapse;
  font-size: ${variables.fontSize};
  color: ${variables.contentColorDefault};
  background: ${variables.backgroundColorSection};

  &[aria-busy='true'] tbody {
    opacity: 0.7;
  }
  th {
    padding: 8px 12px;
    text-align: left;
    white-space: nowrap;
    font-weight: 600;
    color: ${variables.contentColorActive};
    background: ${variables.backgroundColorPage};
    border-bottom: 1px solid ${variables.neutral300};
  }
  td {
    padding: 8px 12px;
    vertical-align: top;
    min-width: 100px;
    overflow-wrap: anywhere;
    border-bottom: 1px solid ${variables.neutral200};
  }
  /* Names of a hundred letters are no columns of words. */
  td:first-child {
    min-width: 150px;
  }
  tbody tr:hover {
    background: ${variables.interactiveColorOverlayHover};
  }
  th button {
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  th button:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }

  @media (max-width: 600px) {
    &[data-blocks='true'] {
      &,
      thead,
      tbody,
      tr {
        display: block;
      }
      thead tr {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
        padding: 8px 12px;
        background: ${variables.backgroundColorPage};
        border-bottom: 1px solid ${variables.neutral300};
      }
      th {
        width: auto !important;
        min-width: 0 !important;
        padding: 0;
        border: 0;
      }
      /* Only what sorts is shown of the heads: each cell has its own. */
      thead:not(:has(button)),
      th:not(:has(button)) {
        position: absolute;
        width: 1px !important;
        height: 1px;
        overflow: hidden;
        clip-path: inset(50%);
      }
      tbody tr {
        padding: 8px 12px;
      }
      tr + tr {
        border-top: 1px solid ${variables.neutral200};
      }
      td {
        display: flow-root;
        min-width: 0 !important;
        padding: 2px 0 2px 108px;
        border: 0;
      }
      td:first-child {
        padding-left: 0;
        font-weight: 600;
      }
      td:empty {
        display: none;
      }
      td:not(:first-child)::before {
        float: left;
        width: 100px;
        margin-left: -108px;
        color: ${variables.contentColorActive};
        content: attr(data-label);
        /* Screen readers know the head of the column. */
        content: attr(data-label) / '';
      }
    }
  }
`;
