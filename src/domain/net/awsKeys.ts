import type { Problem } from '../../contract/codes/faults.ts';
import type { CloudAccess } from '../../ports/cloud/cloudAccess.ts';

/** The credentials of a record that calls AWS, whatever its family names the fields. */
export interface AwsKeys {
  region: string;
  accessKeyId?: string | undefined;
  roleArn?: string | undefined;
}

/**
 * To whom the secret of such a record goes: another region is another host, and another role hands what the key may do
 * to somebody else.
 */
export function awsAddresses(keys: AwsKeys, fields: { region: string; role: string }) {
  return { [fields.region]: keys.region, [fields.role]: keys.roleArn };
}

/** Both keys, or neither: then the credentials of the machine are used. */
export function pairProblems(hasId: boolean, hasSecret: boolean, fields: { id: string; secret: string }): Problem[] {
  if (hasId === hasSecret) return [];
  const [missing, given] = hasId ? [fields.secret, fields.id] : [fields.id, fields.secret];
  return [{ field: missing, message: `is required with ${given}; without either, the instance's own role is used` }];
}

/** @param secrets what must not appear in anything said about a call */
export function awsAccess(
  { region, accessKeyId, roleArn }: AwsKeys,
  secretAccessKey: string | undefined,
  secrets: readonly string[] = [],
): CloudAccess {
  return {
    region,
    secrets,
    ...(accessKeyId && secretAccessKey ? { keys: { accessKeyId, secretAccessKey } } : {}),
    ...(roleArn ? { roleArn } : {}),
  };
}
