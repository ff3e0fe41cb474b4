declare module '@splunk/react-page/18' {
  import type { ReactElement } from 'react';

  interface LayoutOptions {
    pageTitle?: string;
    theme?: string;
    layout?: 'fixed' | 'scrolling';
    hideFooter?: boolean;
  }
  export default function layout(page: ReactElement, options?: LayoutOptions): void;
}

interface Window {
  /** Settings of Splunk Web. */
  $C?: Record<string, unknown>;
}
