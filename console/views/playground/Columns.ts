import styled from 'styled-components';

/** Settings beside what they are for; one below the other on a narrow page. */
export const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(240px, 320px) minmax(0, 1fr);
  gap: 24px;
  align-items: start;

  /* Long names wrap rather than widen their column. */
  > * {
    min-width: 0;
  }
  @media (max-width: 800px) {
    grid-template-columns: minmax(0, 1fr);
  }
`;
