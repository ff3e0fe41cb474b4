import { Type } from 'typebox';
import { Secret } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { HEADER_NAME_PATTERN, LONGEST_HEADER_NAME, MAX_HEADERS } from '../../domain/net/headerValues.ts';

/** Further headers of a record's requests. @param limits what is said of their number and size, and of names that are refused */
export const secretHeaders = (name: string, limits: string) =>
  named(
    name,
    Type.Record(
      // Names are checked by the rules: a map's keys have no schema of their own.
      Type.String(),
      Secret({ description: 'Value of the header', maxLength: 8192 }),
      {
        description: `Further request headers, such as an API key header; the values are secrets. ${limits}`,
        'x-form': {
          maxProperties: MAX_HEADERS,
          propertyNames: { minLength: 1, maxLength: LONGEST_HEADER_NAME, pattern: HEADER_NAME_PATTERN },
        },
      },
    ),
  );
