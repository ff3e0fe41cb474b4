import { Type } from 'typebox';
import { named } from '../../contract/schemas/named.ts';

export const Masked = Type.Optional(
  Type.Record(Type.String(), Type.Integer(), { description: 'Places that were masked, by kind; absent without one' }),
);

/** In replies that are not in OpenAI's form. */
export const MaskedFacts = Type.Optional(
  named('MaskedFacts', Type.Object({ masked: Masked }, { description: 'What was masked; absent where nothing was' })),
);
