import { variables } from '@splunk/themes';
import styled, { createGlobalStyle } from 'styled-components';

/** Not a landmark: the frame of the platform has `main`. */
export const Page = styled.div`
  color: ${variables.contentColorDefault};
  background: ${variables.backgroundColorPage};
  font-family: ${variables.sansFontFamily};
  font-size: ${variables.fontSize};
  line-height: ${variables.lineHeight};
  box-sizing: border-box;
  min-height: calc(100vh - 77px);
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

/** Also applies to dialogs, which are outside the page. */
export const Everywhere = createGlobalStyle`
  /* Fields for a search have a button that clears them already. */
  input[type='search']::-webkit-search-cancel-button {
    appearance: none;
  }
  /* The disabled colours of the theme are too faint to read the label, and too close to the enabled ones. */
  button[data-test='button'][data-test-disabled] {
    color: ${variables.contentColorMuted};
    background: transparent;
    border: 1px dashed ${variables.borderColor};
  }
  /* The library's own rule lets a long word, such as the name of a tool, widen the page. */
  [data-test='message'] > [data-test='content'],
  [data-test='control-group'] label {
    overflow-wrap: anywhere;
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

export const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px 12px;
  align-items: center;

  /* An empty live region takes no gap. */
  > [role='status']:empty {
    margin-inline-end: -12px;
  }
`;

/** Fills the rest of a row. */
export const Spacer = styled.div`
  flex: 1 1 auto;
`;

export const Stack = styled.div`
  display: flex;
  flex-direction: column;
  gap: 12px;

  > [role='status']:empty,
  > [role='log']:empty {
    margin-block-end: -12px;
  }
  /* The gap is the only distance between fields, inside dialogs and outside. */
  > [data-test='control-group'] {
    margin-block-end: 0;
  }
`;

/** Always in the page, so that screen readers announce new messages. */
export const StatusArea = styled.div.attrs({ role: 'status' })`
  display: flex;
  flex-direction: column;
  gap: 8px;

  &:not(:empty) {
    margin-bottom: 12px;
  }
`;

/** A full-width note in a grid; hidden when empty. */
export const Note = styled.div`
  grid-column: 1 / -1;

  &:empty {
    display: none;
  }
`;

/** Side by side where there is room. */
export const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
  gap: 16px 24px;
  align-items: start;

  > * {
    min-width: 0;
  }
`;

export const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(400px, 100%), 1fr));
  gap: 12px 24px;
  align-items: start;
`;
