import { variables } from '@splunk/themes';
import styled, { createGlobalStyle } from 'styled-components';

/** No landmark: the platform's frame has `main`. */
export const Page = styled.div`
  color: ${variables.contentColorDefault};
  background: ${variables.backgroundColorPage};
  font-family: ${variables.sansFontFamily};
  font-size: ${variables.fontSize};
  line-height: ${variables.lineHeight};
  min-height: calc(100vh - 80px);
  padding: 16px clamp(12px, 2vw, 32px) 48px;
  overflow-wrap: anywhere;

  h1 {
    margin: 0;
    font-size: 24px;
    font-weight: 500;
    color: ${variables.contentColorActive};
  }
  h1:focus {
    outline: none;
  }
  small {
    font-size: 13px;
  }
`;

/** Dialogs stand beside the page, not in it. */
export const Everywhere = createGlobalStyle`
  /* Fields for a search have a button that clears them already. */
  input[type='search']::-webkit-search-cancel-button {
    appearance: none;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 0.01ms !important;
      scroll-behavior: auto !important;
    }
  }
`;

/** Things in a row that wraps. */
export const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px 12px;
  align-items: center;
`;

/** Takes what is left of a row. */
export const Spacer = styled.div`
  flex: 1 1 auto;
`;

/** Things below one another. */
export const Stack = styled.div`
  display: flex;
  flex-direction: column;
  gap: 12px;
`;

/** What is said at the top of a page or a list, if anything is: always there, so that it is read out when it comes. */
export const StatusArea = styled.div.attrs({ role: 'status' })`
  display: flex;
  flex-direction: column;
  gap: 8px;

  &:not(:empty) {
    margin-bottom: 12px;
  }
`;

/** Something said among things side by side; nothing where there is nothing to say. */
export const Note = styled.div`
  grid-column: 1 / -1;

  &:empty {
    display: none;
  }
`;

/** Things side by side where there is room. */
export const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(400px, 100%), 1fr));
  gap: 12px 24px;
  align-items: start;
`;
