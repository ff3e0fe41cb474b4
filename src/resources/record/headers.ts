import { Type } from 'typebox';
import { Secret } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import {
  HEADER_NAME_PATTERN,
  LONGEST_HEADER_NAME,
  MAX_HEADERS,
  MAX_SECRET_BYTES,
} from '../../domain/net/headerValues.ts';

/** Further headers of a record's requests. */
export const SecretHeaders = named(
  'SecretHeaders',
  Type.Record(
    // Names are checked by the rules: a map's keys have no schema of their own.
    Type.String(),
    Secret({ description: 'Value of the header', maxLength: 8192 }),
    {
      description: `Further request headers with secret values: at most ${MAX_HEADERS}, and all secrets of the record together have at most ${MAX_SECRET_BYTES} bytes. Headers of the connection itself and of its authentication are refused. null deletes all.`,
      'x-form': {
        maxProperties: MAX_HEADERS,
        propertyNames: { minLength: 1, maxLength: LONGEST_HEADER_NAME, pattern: HEADER_NAME_PATTERN },
      },
    },
  ),
);
