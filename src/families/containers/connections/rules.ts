import type { Problem } from '../../../contract/codes/faults.ts';
import { type SecretChange, secretsAfter } from '../../../domain/secrets/secrets.ts';
import type { Certificates } from '../../../ports/engines/certificates.ts';
import type { Clock } from '../../../ports/platform/clock.ts';
import type { Settings } from '../../../ports/stores/settings.ts';
import type { FamilyFields } from '../../../resources/kind.ts';
import type { EngineKinds } from '../engines/engineKind.ts';
import { type Field, type FieldTable, MAX_VALUE_LENGTH } from '../engines/field.ts';
import type { Fields, OpenField } from '../engines/fields.ts';
import { allowedAnnotations } from '../engines/ingressAnnotations.ts';
import { openFields } from '../engines/registry.ts';
import { checkCertificates } from './certificateChecks.ts';
import type { ConnectionStored } from './records.ts';

export interface RuleContext {
  kinds: EngineKinds;
  certificates: Certificates;
  settings: Settings;
  clock: Clock;
}

/** Problems of single values. */
function valueProblems(table: FieldTable, fields: Fields, allowed: readonly string[]): Problem[] {
  return Object.entries<Field>(table).flatMap(([field, { rule, isLong }]) => {
    const value = fields[field as OpenField];
    if (value === undefined) return [];
    // Before any pattern is applied.
    if (value.length > MAX_VALUE_LENGTH && !isLong)
      return [{ field, message: `must be at most ${MAX_VALUE_LENGTH} characters` }];
    const message = rule?.(value, allowed);
    return message ? [{ field, message }] : [];
  });
}

/** Missing and conflicting fields. @param secrets names of the secrets after the change */
function combinationProblems(
  kinds: EngineKinds,
  connection: FamilyFields<ConnectionStored>,
  secrets: readonly string[],
): Problem[] {
  const problems: Problem[] = [];
  const problem = (field: string, message: string) => {
    problems.push({ field, message });
  };
  const has = (field: string) => connection[field as OpenField] !== undefined || secrets.includes(field);
  const need = (field: string, why: string) => {
    if (!has(field)) problem(field, `is required ${why}`);
  };
  kinds[connection.container_type].check({ fields: connection, has, need, problem });
  for (const [field, { needs }] of Object.entries<Field>(openFields(kinds))) {
    if (needs && has(field)) need(needs.field, needs.why);
  }
  return problems;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are matched on purpose.
const UNSENDABLE = /[\u0000-\u001f\u007f]/;

/** A line break would end a header or an environment variable. Keys have several lines. */
function secretProblems(changes: Readonly<Record<string, string | null>>): Problem[] {
  return Object.entries(changes)
    .filter(([name, value]) => name !== 'client_key' && value !== null && UNSENDABLE.test(value))
    .map(([field]) => ({ field, message: 'must not contain control characters or line breaks' }));
}

/**
 * All problems that can be found without calling the engine.
 * @param isPartial the stored part is unknown, so missing fields are not reported
 */
export async function problemsOf(
  { kinds, certificates, settings, clock }: RuleContext,
  connection: FamilyFields<ConnectionStored>,
  secrets: SecretChange,
  warnings: string[],
  isPartial = false,
): Promise<Problem[]> {
  const problems = [
    ...valueProblems(openFields(kinds), connection, await allowedAnnotations(settings)),
    ...(isPartial ? [] : combinationProblems(kinds, connection, secretsAfter(secrets))),
    ...secretProblems(secrets.submitted),
  ];
  const files = await checkCertificates(certificates, connection, secrets.set, clock.now());
  warnings.push(...files.warnings);
  const reportedFields = new Set(problems.map(({ field }) => field));
  return [...problems, ...files.problems.filter(({ field }) => !reportedFields.has(field))];
}
