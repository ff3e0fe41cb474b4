import { Row } from '../../../app/styles.ts';
import { CopyButton } from '../../../parts/text/CopyButton.tsx';
import { hasTools, type Settings } from './settings.ts';
import { snippetsOf } from './snippets.ts';

interface SnippetButtonsProps {
  /** Absent before the first question. */
  question: string | undefined;
  settings: Settings;
  system: string;
}

/** Buttons that copy the last question as a call of other clients. */
export function SnippetButtons({ question, settings, system }: SnippetButtonsProps) {
  const snippets = snippetsOf(question ?? 'Say hello', settings, system);
  return (
    <Row role="group" aria-label="Use outside the console">
      {Object.entries(snippets).map(([language, text]) => (
        <CopyButton key={language} label={`Copy as ${language}`} text={text} />
      ))}
      {hasTools(settings) && <small>A search has no tools: for those it runs a saved agent with | mlagent.</small>}
    </Row>
  );
}
