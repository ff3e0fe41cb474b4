import type { RecordChange } from '../audit/audit.ts';
import { type FieldChange, fieldChanges } from '../audit/fieldChanges.ts';
import { type FieldOf, type SecretDecision, toDottedPath } from '../secrets/secrets.ts';
import type { Sealed, SealSpec } from './sealedRecord.ts';

/** What the audit trail is told of a change that was made. @param before undefined = it is new; @param after undefined = it is gone */
export function auditDiff<R extends Sealed>(
  { audited, fieldOf }: Pick<SealSpec<R>, 'audited' | 'fieldOf'>,
  before: R | undefined,
  after: R | undefined,
  decision: Pick<SecretDecision, 'keep' | 'set'>,
): RecordChange {
  const open = fieldChanges(before && audited(before), after && audited(after));
  const secrets = secretChanges(decision, before?.secret_fields ?? [], fieldOf);
  return { changed: [...open, ...secrets], version_before: before?.version, version_after: after?.version };
}

/** What a write does to the secrets of a record. @param stored paths of those that it had */
function secretChanges(
  { keep, set }: Pick<SecretDecision, 'keep' | 'set'>,
  stored: readonly string[],
  fieldOf: FieldOf = toDottedPath,
): FieldChange[] {
  const removed = stored.filter((path) => !keep.includes(path) && !Object.hasOwn(set, path));
  return [
    ...Object.keys(set).map((path) => ({
      field: fieldOf(path),
      secret: stored.includes(path) ? ('replaced' as const) : ('set' as const),
    })),
    ...removed.map((path) => ({ field: fieldOf(path), secret: 'removed' as const })),
  ];
}
