/**
 * Pod and Deployment statuses recorded on a one-node Kubernetes 1.20 cluster about three minutes after each Deployment was
 * created, reduced to the fields that `state.ts` reads.
 */

const started = (isReady: boolean, container: object) => ({
  conditions: [
    { type: 'Ready', status: isReady ? 'True' : 'False' },
    { type: 'PodScheduled', status: 'True' },
  ],
  containerStatuses: [{ restartCount: 0, ...container }],
});
const running = { state: { running: { startedAt: '2026-11-20T15:57:00Z' } } };
const waiting = (reason: string, message: string) => ({ state: { waiting: { reason, message } } });
const crashing = (pod: string, terminated: object) => ({
  restartCount: 5,
  ...waiting('CrashLoopBackOff', `back-off 2m40s restarting failed container=main pod=${pod}`),
  lastState: { terminated },
});
const unscheduled = (message: string, lastTransitionTime = '2026-11-20T15:56:58Z') => ({
  conditions: [
    { type: 'PodScheduled', status: 'False', message: `0/1 nodes are available: ${message}`, lastTransitionTime },
  ],
});

/** By Deployment; each had one pod. */
export const POD_STATUSES = {
  badimg: started(false, waiting('ImagePullBackOff', 'Back-off pulling image "registry.invalid/none:1"')),
  badname: started(
    false,
    waiting(
      'InvalidImageName',
      'Failed to apply default image tag "Bad:Name:x": couldn\'t parse image reference "Bad:Name:x": invalid reference format: repository name must be lowercase',
    ),
  ),
  crash: started(
    false,
    crashing('crash-764b857b-fk9gl_default(b1d78366-68e3-4fca-a386-79a5059bcef5)', {
      exitCode: 3,
      reason: 'Error',
      finishedAt: '2026-11-20T15:59:50Z',
    }),
  ),
  gpu: unscheduled('1 Insufficient nvidia.com/gpu.'),
  never: started(
    false,
    waiting('ErrImageNeverPull', 'Container image "local/none:1" is not present with pull policy of Never'),
  ),
  nosecret: started(false, waiting('CreateContainerConfigError', 'secret "nope" not found')),
  ok: started(true, running),
  oom: started(
    false,
    crashing('oom-5676b7477d-5xdxd_default(791d8e9e-a03b-4756-a75d-80c7601ea70e)', {
      exitCode: 137,
      reason: 'OOMKilled',
      finishedAt: '2026-11-20T16:00:04Z',
    }),
  ),
  probe: started(false, running),
  pvc: unscheduled('1 pod has unbound immediate PersistentVolumeClaims.', '2026-11-20T15:56:59Z'),
  unsched: unscheduled('1 Insufficient cpu.'),
};

/** A Deployment in a namespace whose quota allows no pod. */
export const QUOTA_STATUS = {
  conditions: [
    {
      type: 'ReplicaFailure',
      status: 'True',
      message:
        'pods "ok-86bc5cc8bf-77l2c" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
      lastTransitionTime: '2026-11-20T15:57:01Z',
    },
  ],
};
