import { createHash } from 'node:crypto';
import type { Scope, Workload } from '../../ports/engines/containerEngine.ts';

const PREFIX = 'ml-extension';

/** Labels of all objects that the app creates. Objects without this installation's label are never touched. */
export const LABEL = {
  managedBy: 'app.kubernetes.io/managed-by',
  installation: `${PREFIX}/installation`,
  connection: `${PREFIX}/connection`,
  model: `${PREFIX}/model`,
  mark: `${PREFIX}/start`,
} as const;

/** Values that are not valid in a label, such as a name that starts with `_`. */
export const ANNOTATION = {
  connection: `${PREFIX}/connection-key`,
  model: `${PREFIX}/model-name`,
  facts: `${PREFIX}/settings`,
} as const;

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

export function scopeLabels({ installation, connectionKey }: Scope): Record<string, string> {
  return {
    [LABEL.managedBy]: PREFIX,
    [LABEL.installation]: installation,
    [LABEL.connection]: hash(connectionKey),
  };
}

export function workloadLabels(workload: Workload): Record<string, string> {
  return { ...scopeLabels(workload), [LABEL.model]: hash(workload.model), [LABEL.mark]: workload.mark };
}

export function workloadAnnotations({ connectionKey, model, facts }: Workload): Record<string, string> {
  return {
    [ANNOTATION.connection]: connectionKey,
    [ANNOTATION.model]: model,
    [ANNOTATION.facts]: JSON.stringify(facts),
  };
}

export function selector(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

export const scopeSelector = (scope: Scope): string =>
  selector({ [LABEL.installation]: scope.installation, [LABEL.connection]: hash(scope.connectionKey) });

export function belongs(labels: Readonly<Record<string, string>> | undefined, scope: Scope): boolean {
  return labels?.[LABEL.installation] === scope.installation && labels[LABEL.connection] === hash(scope.connectionKey);
}
