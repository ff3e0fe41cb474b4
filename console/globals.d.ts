declare module '@splunk/react-page/18' {
  import type { ReactElement } from 'react';

  interface LayoutOptions {
    pageTitle?: string;
    theme?: string;
    layout?: 'fixed' | 'scrolling';
    hideFooter?: boolean;
  }
  /** Draws the page inside the platform's own header. */
  export default function layout(page: ReactElement, options?: LayoutOptions): void;
}

interface Window {
  /** What the page knows of its server. */
  $C?: Record<string, unknown>;
}
