import { storedCertificates } from '../../../domain/net/certificates.ts';
import { tokenEnds } from '../../../domain/secrets/tokenExpiry.ts';
import { BY_GATE } from '../../../resources/access.ts';
import type { ResourceKind } from '../../../resources/kind.ts';
import type { Resources } from '../../../resources/resources.ts';
import type { OpenField, SecretField } from '../engines/fields.ts';
import { defaultsOf, openNames } from '../engines/registry.ts';
import type { ConnectionInput, ConnectionRecord } from '../schemas.ts';
import { movesEngine, receivers, secretAddresses, secretTrust } from './addresses.ts';
import { CERTIFICATE_FIELDS } from './certificateChecks.ts';
import { isEdit } from './input.ts';
import { CONNECTIONS, type ConnectionStored, FAMILY } from './records.ts';
import { problemsOf, type RuleContext } from './rules.ts';
import { assertNoneLeftBehind, assertUnused } from './users.ts';

export type ConnectionRecords = Resources<ConnectionStored, ConnectionInput, ConnectionRecord>;

/** Secrets that may be JWTs with an expiry time. */
const TOKENS = ['user_token', 'service_account_token'] satisfies SecretField[];

const isCertificate = (name: string): boolean => CERTIFICATE_FIELDS.some((field) => field === name);

/** Fields, defaults, rules and addresses come from the engine of the record. */
export function connectionKind(judge: RuleContext): ResourceKind<ConnectionStored, ConnectionInput, ConnectionRecord> {
  const { kinds } = judge;
  const names = openNames(kinds);
  return {
    family: FAMILY,
    collection: CONNECTIONS,
    label: 'container connection',
    access: BY_GATE,
    addresses: (record) => secretAddresses(kinds[record.container_type], record),
    trust: (record) => secretTrust(kinds[record.container_type], record),
    // An engine receives every secret: its credentials and the environment of containers.
    receives: receivers(kinds),
    nameField: 'connection_name',
    assertReadable: (input) => void isEdit(input),
    merge(base, input) {
      const { container_type, connection_name } = base ?? input;
      const defaults = defaultsOf(kinds[container_type]);
      const storedForm = (name: OpenField, text: string) =>
        isCertificate(name) ? storedCertificates(text, base?.[name]) : text;
      // An empty value restores the default.
      const changes = names
        .filter((name) => input[name] !== undefined)
        .map((name) => [name, storedForm(name, input[name]?.trim() ?? '') || defaults[name]]);
      return { ...(base ?? { container_type, connection_name, ...defaults }), ...Object.fromEntries(changes) };
    },
    problems: (next, secrets, warnings) => problemsOf(judge, next, secrets, warnings),
    carryOver({ token_ends: storedEnds, login_host, ...next }, _before, secrets) {
      const ends = tokenEnds(secrets, TOKENS, storedEnds);
      return {
        ...next,
        token_ends: Object.keys(ends).length > 0 ? ends : undefined,
        // Whoever sends the password anew accepts the login server that the cluster names now.
        login_host: secrets.keep.includes('user_password') ? login_host : undefined,
      };
    },
    async assertMayMove(records, before, next, terms) {
      if (movesEngine(kinds[before.container_type], before, next)) {
        await assertNoneLeftBehind(records, before._key, terms);
      }
    },
    view({ container_type, connection_name, ...record }) {
      const fields = names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]);
      return { container_type, connection_name, ...Object.fromEntries(fields), login_host: record.login_host };
    },
    assertUnused: (records, _caller, { _key }) => assertUnused(records, _key),
  };
}
