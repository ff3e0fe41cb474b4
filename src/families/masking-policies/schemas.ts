import { Type } from 'typebox';
import { MAX_PREVIEW } from '../../contract/families/masking.ts';
import { NameOf } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { maskingPolicy } from './definition.ts';

const { Optional } = Type;
const { kinds, fields, patterns, never, regions } = maskingPolicy.create.properties;

const PreviewedPolicy = named(
  'PreviewedPolicy',
  Type.Object(
    { kinds, fields, patterns, never, regions },
    {
      description:
        'The fields of a policy that decide about texts; others are ignored. A kind that would be refused is shown masked.',
    },
  ),
);

export const PolicyPreview = named(
  'PolicyPreview',
  Type.Object(
    {
      text: Type.String({ maxLength: MAX_PREVIEW, description: 'Text to mask; it is not stored' }),
      name: Optional(NameOf('Name of a saved policy')),
      policy: Optional(PreviewedPolicy),
    },
    { description: 'A text, with a policy or the name of one' },
  ),
);

const Offset = (what: string) => Type.Integer({ minimum: 0, description: `${what}, in UTF-16 code units of the text` });

const PreviewSpan = named(
  'PreviewSpan',
  Type.Object(
    {
      start: Offset('Where the value begins'),
      end: Offset('Where it ends'),
      kind: Type.String({ description: 'Kind of the value, or the label of its pattern' }),
    },
    { description: 'A place of the text that is masked' },
  ),
);

export const PolicyPreviewReply = named(
  'PolicyPreviewReply',
  Type.Object(
    {
      masked: Type.String({ description: 'The masked text. Its placeholders hold for this preview alone.' }),
      spans: Type.Array(PreviewSpan, { description: 'What is masked, from left to right' }),
      counts: Type.Record(Type.String(), Type.Integer(), { description: 'Kind -> number of places' }),
    },
    { description: 'What a policy makes of a text' },
  ),
);
