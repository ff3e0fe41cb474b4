import type { Problem } from '../../contract/codes/faults.ts';
import type { CloudAccess } from '../../ports/cloud/cloudAccess.ts';

/** AWS credentials of a record, independent of the field names of its family. */
export interface AwsKeys {
  region: string;
  accessKeyId?: string | undefined;
  roleArn?: string | undefined;
}

/** Addresses that a secret is bound to: another region is another host, and another role gives the access to somebody else. */
export function awsAddresses(keys: AwsKeys, fields: { region: string; role: string }) {
  return { [fields.region]: keys.region, [fields.role]: keys.roleArn };
}

/** Requires both keys or neither, which means the credentials of the machine. */
export function pairProblems(hasId: boolean, hasSecret: boolean, fields: { id: string; secret: string }): Problem[] {
  if (hasId === hasSecret) return [];
  const [missing, present] = hasId ? [fields.secret, fields.id] : [fields.id, fields.secret];
  return [{ field: missing, message: `is required with ${present}; omit both to use the role of the instance` }];
}

/** @param secrets redacted from messages */
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
