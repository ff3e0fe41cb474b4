import { Type } from 'typebox';
import { named } from '../../contract/schemas/named.ts';
import { ENDPOINT } from './definition.ts';

export const RegistrationReply = named(
  'RegisteredModelTestReply',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Whether the model was registered, or the endpoint is in service' }),
      model_name: Type.Optional(Type.String({ description: 'Name of the new registration; absent from a test' })),
      endpoint_name: Type.String({ description: ENDPOINT }),
      warnings: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Warnings about the registration, such as unchecked maps; may be empty',
        }),
      ),
      endpoint_status: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'Of a test: state of the endpoint in AWS (InService, Creating, Failed …); null if unknown',
        }),
      ),
      test_type: Type.Optional(Type.Literal('connection_test', { description: 'Marks the reply to a test' })),
      response_time_ms: Type.Optional(Type.Number({ description: 'Of a test: duration in milliseconds' })),
    },
    { description: 'Result of a registration or a test' },
  ),
);
