import type { RecordChange } from '../audit/audit.ts';
import { type FieldChange, fieldChanges } from '../audit/fieldChanges.ts';
import { type FieldOf, type SecretDecision, toDottedPath } from '../secrets/secrets.ts';
import type { SealedDoc, SealSpec } from './sealedRecord.ts';

/** The changed fields of a record, for its audit entry. @param before undefined for a new record; @param after undefined for a deleted one */
export function auditDiff<R extends SealedDoc>(
  { audited, fieldOf }: Pick<SealSpec<R>, 'audited' | 'fieldOf'>,
  before: R | undefined,
  after: R | undefined,
  decision: Pick<SecretDecision, 'keep' | 'set'>,
): RecordChange {
  const open = fieldChanges(before && audited(before), after && audited(after));
  const secrets = secretChanges(decision, before?.secret_fields ?? [], fieldOf);
  return { changed: [...open, ...secrets], version_before: before?.version, version_after: after?.version };
}

/** Secrets that a write sets, replaces or removes. @param stored paths of the secrets before it */
function secretChanges(
  { keep, set }: Pick<SecretDecision, 'keep' | 'set'>,
  stored: readonly string[],
  fieldOf: FieldOf = toDottedPath,
): FieldChange[] {
  const [unchanged, existing] = [new Set(keep), new Set(stored)];
  const removed = stored.filter((path) => !unchanged.has(path) && !Object.hasOwn(set, path));
  return [
    ...Object.keys(set).map((path) => ({
      field: fieldOf(path),
      secret: existing.has(path) ? ('replaced' as const) : ('set' as const),
    })),
    ...removed.map((path) => ({ field: fieldOf(path), secret: 'removed' as const })),
  ];
}
