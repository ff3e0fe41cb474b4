import Heading from '@splunk/react-ui/Heading';
import { variables } from '@splunk/themes';
import styled from 'styled-components';
import type { Facts } from './resource.ts';

/** Names and values of a record. */
export function FactList({ title, rows }: Facts) {
  return (
    <section aria-label={title ?? 'Details'}>
      {title && <Heading level={3}>{title}</Heading>}
      <List>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === undefined || value === null || value === '' ? '–' : value}</dd>
          </div>
        ))}
      </List>
    </section>
  );
}

const List = styled.dl`
  margin: 0;
  color: ${variables.contentColorDefault};

  > div {
    display: grid;
    grid-template-columns: min(180px, 32%) 1fr;
    gap: 12px;
    padding: 4px 0;
  }
  dt {
    font-weight: 600;
  }
  dd {
    margin: 0;
    white-space: pre-wrap;
  }
`;
