import Link from '@splunk/react-ui/Link';
import { variables } from '@splunk/themes';
import type { MouseEvent, ReactNode } from 'react';
import styled from 'styled-components';
import type { RunEvidenceSource } from '../../../client/src/index.ts';
import { viewUrl } from '../../app/url.ts';
import { inputPlace, showPlace, stepPlace } from './places.ts';
import { sourceWords } from './words.ts';

interface SourceProps {
  /** The run whose answer was checked. */
  run_id: string;
  source: RunEvidenceSource;
  title?: string;
  /** In place of the words for the source. */
  children?: ReactNode;
}

/** Leads to what a claim was found in: a place of this page, or an earlier run. */
export function Source({ run_id, source, title, children = sourceWords(source) }: SourceProps) {
  const { run_id: earlier, step, input } = source;
  if (earlier !== undefined) {
    const address = viewUrl('agents', { tab: 'runs', name: earlier, step: step?.toString() });
    return (
      <Link to={address} openInNewContext title={title}>
        {children}
      </Link>
    );
  }
  const place = input || step === undefined ? inputPlace(run_id) : stepPlace(run_id, step);
  const show = (event: MouseEvent) => {
    event.preventDefault();
    showPlace(place);
  };
  return (
    <Anchor href={`#${place}`} onClick={show} title={title}>
      {children}
    </Anchor>
  );
}

const Anchor = styled.a`
  color: inherit;
  text-decoration: underline;

  &:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }
`;
