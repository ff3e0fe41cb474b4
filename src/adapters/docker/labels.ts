import type { Scope, Workload } from '../../ports/engines/containerEngine.ts';

/** Labels of all objects that the app creates. Objects without this installation's label are never touched. */
export const LABEL = {
  managedBy: 'ml_extension.managed_by',
  installation: 'ml_extension.installation',
  connection: 'ml_extension.connection',
  model: 'ml_extension.model',
  mark: 'ml_extension.start',
  facts: 'ml_extension.settings',
} as const;

export function scopeLabels(scope: Scope): Record<string, string> {
  return {
    [LABEL.managedBy]: 'ml_extension',
    [LABEL.installation]: scope.installation,
    [LABEL.connection]: scope.connectionKey,
  };
}

export function workloadLabels(workload: Workload): Record<string, string> {
  return {
    ...scopeLabels(workload),
    [LABEL.model]: workload.model,
    [LABEL.mark]: workload.mark,
    [LABEL.facts]: JSON.stringify(workload.facts),
  };
}

export function scopeFilter(scope: Scope): { label: string[] } {
  return {
    label: [`${LABEL.installation}=${scope.installation}`, `${LABEL.connection}=${scope.connectionKey}`],
  };
}

export function belongs(labels: Readonly<Record<string, string>> | null | undefined, scope: Scope): boolean {
  return labels?.[LABEL.installation] === scope.installation && labels[LABEL.connection] === scope.connectionKey;
}
