import { invalid } from '../contract/codes/faults.ts';
import { secretSizeProblem } from '../domain/records/sealedRecord.ts';
import { type SecretChange, shortSecretWarnings, toDottedPath } from '../domain/secrets/secrets.ts';
import type { FamilyFields, ReplyFields, ResourceKind } from './kind.ts';
import type { Resource } from './records.ts';

/** Checks a merged record and its new secrets. @throws Fault `validation_failed` with every problem */
export async function assertValid<R extends Resource, F extends object, V extends ReplyFields>(
  kind: ResourceKind<R, F, V>,
  next: FamilyFields<R>,
  secrets: SecretChange,
  warnings: string[],
): Promise<void> {
  const problems = [...((await kind.problems?.(next, secrets, warnings)) ?? [])];
  const tooLarge = secretSizeProblem(kind, secrets.set, secrets.set);
  if (tooLarge) problems.push(tooLarge);
  if (problems.length > 0) throw invalid(problems);
  warnings.push(...shortSecretWarnings(secrets.set, kind.fieldOf ?? toDottedPath));
}
