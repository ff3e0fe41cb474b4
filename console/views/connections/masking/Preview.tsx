import { variables } from '@splunk/themes';
import { useState } from 'react';
import styled from 'styled-components';
import type { Input, Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal } from '../../../api/rights.ts';
import { Columns, Row, Stack } from '../../../app/styles.ts';
import { Action } from '../../../parts/Action.tsx';
import { Field } from '../../../parts/form/Field.tsx';
import type { FormField } from '../../../parts/form/spec.ts';
import { useWork, WorkState } from '../../../parts/work.tsx';
import { markedParts, type TextPart } from './markedParts.ts';
import { kindWords } from './words.ts';

type PreviewBody = Omit<Input<'previewMaskingPolicy'>['body'], 'text'>;

const TEXT: FormField = {
  path: 'preview.text',
  label: 'Text to preview',
  area: true,
  help: 'It is masked by this policy alone, whatever it applies to. Nothing is sent to a model or kept.',
};

/** A text beside what the policy makes of it. @param body the policy, or its name */
export function Preview({ body }: { body(): PreviewBody }) {
  const [text, setText] = useState('');
  const [result, setResult] = useState<{ text: string; reply: Reply<'previewMaskingPolicy'> }>();
  const work = useWork<'preview'>();
  const refusal = useRefusal()('previewMaskingPolicy');
  const preview = () =>
    work.start('preview', async (signal) => {
      setResult(undefined);
      const reply = await ml.call('previewMaskingPolicy', { body: { text, ...body() } as never }, { signal });
      setResult({ text, reply });
    });
  return (
    <section aria-label="Preview">
      <Stack>
        <Field
          field={TEXT}
          facts={{ path: TEXT.path, kind: 'text' }}
          value={text}
          onChange={(typed) => setText(String(typed ?? ''))}
        />
        <Row>
          <Action
            label="Preview"
            busy={work.running !== undefined}
            refusal={refusal ?? (text === '' ? 'Enter a text first' : undefined)}
            onClick={preview}
          />
        </Row>
        <WorkState work={work} what="the masked text" />
        {result && <Result {...result} />}
      </Stack>
    </section>
  );
}

function Result({ text, reply }: { text: string; reply: Reply<'previewMaskingPolicy'> }) {
  const { original, masked } = markedParts(text, reply.masked, reply.spans);
  const counts = Object.entries(reply.counts).map(([kind, count]) => `${kindWords(kind)}: ${count}`);
  return (
    <Stack role="status">
      <span>{counts.length > 0 ? `Masked: ${counts.join(', ')}.` : 'Nothing in this text is masked.'}</span>
      <Columns>
        <MarkedText label="Original" parts={original} />
        <MarkedText label="Masked" parts={masked} />
      </Columns>
    </Stack>
  );
}

function MarkedText({ label, parts }: { label: string; parts: readonly TextPart[] }) {
  return (
    <figure style={{ margin: 0 }} aria-label={label}>
      <figcaption>{label}</figcaption>
      <Lines dir="auto">
        {parts.map(({ text, kind }, place) =>
          kind === undefined ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
            <span key={place}>{text}</span>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
            <Marked key={place}>
              {text}
              <Kind> ({kindWords(kind)})</Kind>
            </Marked>
          ),
        )}
      </Lines>
    </figure>
  );
}

const Lines = styled.div`
  padding: 8px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  font-family: ${variables.monoFontFamily};
  border: 1px solid ${variables.neutral300};
`;
const Marked = styled.mark`
  color: inherit;
  background: none;
  border-bottom: 2px solid ${variables.contentColorInfo};
`;
/** No part of the text: it is not copied with it. */
const Kind = styled.small`
  font-family: ${variables.sansFontFamily};
  user-select: none;
`;
