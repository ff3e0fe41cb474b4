import type {
  EngineFailure,
  EngineProblem,
  EngineReason,
  EngineReport,
  KubernetesTarget,
} from '../../ports/engines/containerEngine.ts';
import type { ClusterCalls } from './client.ts';
import { clusterFailure, notKubernetes, statusOf } from './failures.ts';

interface Right {
  group: string;
  resource: string;
  subresource?: string;
  verbs: readonly string[];
}

/** Permissions that the app needs in the namespace. */
const RIGHTS: readonly Right[] = [
  { group: 'apps', resource: 'deployments', verbs: ['create', 'get', 'list', 'patch', 'delete'] },
  { group: '', resource: 'pods', verbs: ['list', 'delete'] },
  { group: '', resource: 'pods', subresource: 'log', verbs: ['get'] },
  { group: '', resource: 'services', verbs: ['create', 'list'] },
  { group: '', resource: 'secrets', verbs: ['create'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['create'] },
  { group: '', resource: 'events', verbs: ['list'] },
  { group: 'autoscaling', resource: 'horizontalpodautoscalers', verbs: ['create'] },
];
const FOR_INGRESS: Right = { group: 'networking.k8s.io', resource: 'ingresses', verbs: ['create', 'list'] };

/** Maps an error to a failure without secrets in its message. */
type FailureOf = (error: unknown) => EngineFailure;

/** Checks everything that a start needs without creating anything. */
export async function verifyCluster(
  calls: ClusterCalls,
  target: KubernetesTarget,
  signal: AbortSignal,
  hidden: readonly string[],
): Promise<EngineReport> {
  const failureOf: FailureOf = (error) => clusterFailure(error, signal, hidden);
  const report: EngineReport = { problems: [], warnings: [] };
  const note = (code: EngineReason, message: string) => report.problems.push({ code, message });
  try {
    const { gitVersion } = await calls.version.getCode();
    // The library does not check types.
    if (typeof gitVersion !== 'string') throw notKubernetes();
  } catch (error) {
    const failure = failureOf(error);
    note(failure.reason, `The cluster cannot be used: ${failure.message}`);
    return report;
  }
  // Run in parallel, reported in this order.
  const parts = await Promise.all([
    part((mine) => rights(calls, target, failureOf, mine)),
    part((mine) => namespace(calls, target, failureOf, mine)),
    part((mine) => storage(calls, target, failureOf, mine)),
  ]);
  return {
    problems: parts.flatMap(({ problems }) => problems),
    warnings: parts.flatMap(({ warnings }) => warnings),
  };
}

async function part(ask: (report: EngineReport) => Promise<void>): Promise<EngineReport> {
  const report: EngineReport = { problems: [], warnings: [] };
  await ask(report);
  return report;
}

async function rights(
  calls: ClusterCalls,
  target: KubernetesTarget,
  failureOf: FailureOf,
  report: EngineReport,
): Promise<void> {
  const note = (code: EngineReason, message: string) => report.problems.push({ code, message });
  const asked = [...RIGHTS, ...(target.ingress ? [FOR_INGRESS] : [])].flatMap(({ verbs, ...right }) =>
    verbs.map((verb) => ({ ...right, verb })),
  );
  try {
    const answers = await Promise.all(asked.map((right) => isAllowed(calls, target.namespace, right)));
    const missing = asked.filter((_, index) => !answers[index]);
    if (missing.length === 0) return;
    const names = missing.map(
      ({ verb, resource, subresource }) => `${verb} ${resource}${subresource ? `/${subresource}` : ''}`,
    );
    note('forbidden', `These permissions are missing in the namespace ${target.namespace}: ${names.join(', ')}`);
  } catch (error) {
    const failure = failureOf(error);
    note(failure.reason, `The permissions cannot be checked: ${failure.message}`);
  }
}

async function isAllowed(
  calls: ClusterCalls,
  namespace: string,
  { verb, group, resource, subresource }: Omit<Right, 'verbs'> & { verb: string },
): Promise<boolean> {
  const resourceAttributes = { namespace, verb, group, resource, ...(subresource ? { subresource } : {}) };
  const review = await calls.authorization.createSelfSubjectAccessReview({
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
  });
  return review.status?.allowed ?? false;
}

async function namespace(
  calls: ClusterCalls,
  target: KubernetesTarget,
  failureOf: FailureOf,
  report: EngineReport,
): Promise<void> {
  await calls.core.readNamespace({ name: target.namespace }).catch((error) =>
    judge(error, failureOf, report, {
      missing: { code: 'config_missing', message: `The namespace ${target.namespace} does not exist` },
      unseen: `These credentials cannot tell whether the namespace ${target.namespace} exists`,
    }),
  );
}

async function storage(
  calls: ClusterCalls,
  { storageClass }: KubernetesTarget,
  failureOf: FailureOf,
  report: EngineReport,
): Promise<void> {
  if (storageClass === undefined) return;
  await calls.storage.readStorageClass({ name: storageClass }).catch((error) =>
    judge(error, failureOf, report, {
      missing: { code: 'config_missing', message: `The storage class ${storageClass} does not exist` },
      unseen: `These credentials cannot tell whether the storage class ${storageClass} exists`,
    }),
  );
}

/** A forbidden read is only a warning, since namespaces and classes are cluster-wide. */
function judge(
  error: unknown,
  failureOf: FailureOf,
  report: EngineReport,
  words: { missing: EngineProblem; unseen: string },
): void {
  const status = statusOf(error);
  if (status === 404) report.problems.push(words.missing);
  else if (status === 403) report.warnings.push(words.unseen);
  else {
    const failure = failureOf(error);
    report.problems.push({ code: failure.reason, message: failure.message });
  }
}
