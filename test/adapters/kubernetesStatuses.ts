/**
 * Pod and Deployment statuses recorded on a one-node Kubernetes 1.20 cluster about three minutes after each Deployment was
 * created, reduced to the fields that `state.ts` reads.
 */

/** By Deployment; each had one pod. */
export const POD_STATUSES = {
  badimg: {
    conditions: [
      {
        type: 'Ready',
        status: 'False',
      },
      {
        type: 'PodScheduled',
        status: 'True',
      },
    ],
    containerStatuses: [
      {
        restartCount: 0,
        state: {
          waiting: {
            reason: 'ImagePullBackOff',
            message: 'Back-off pulling image "registry.invalid/none:1"',
          },
        },
      },
    ],
  },
  badname: {
    conditions: [
      {
        type: 'Ready',
        status: 'False',
      },
      {
        type: 'PodScheduled',
        status: 'True',
      },
    ],
    containerStatuses: [
      {
        restartCount: 0,
        state: {
          waiting: {
            reason: 'InvalidImageName',
            message:
              'Failed to apply default image tag "Bad:Name:x": couldn\'t parse image reference "Bad:Name:x": invalid reference format: repository name must be lowercase',
          },
        },
      },
    ],
  },
  crash: {
    conditions: [
      {
        type: 'Ready',
        status: 'False',
      },
      {
        type: 'PodScheduled',
        status: 'True',
      },
    ],
    containerStatuses: [
      {
        restartCount: 5,
        state: {
          waiting: {
            reason: 'CrashLoopBackOff',
            message:
              'back-off 2m40s restarting failed container=main pod=crash-764b857b-fk9gl_default(b1d78366-68e3-4fca-a386-79a5059bcef5)',
          },
        },
        lastState: {
          terminated: {
            exitCode: 3,
            reason: 'Error',
            finishedAt: '2026-11-20T15:59:50Z',
          },
        },
      },
    ],
  },
  gpu: {
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        message: '0/1 nodes are available: 1 Insufficient nvidia.com/gpu.',
        lastTransitionTime: '2026-11-20T15:56:58Z',
      },
    ],
  },
  never: {
    conditions: [
      {
        type: 'Ready',
        status: 'False',
      },
      {
        type: 'PodScheduled',
        status: 'True',
      },
    ],
    containerStatuses: [
      {
        restartCount: 0,
        state: {
          waiting: {
            reason: 'ErrImageNeverPull',
            message: 'Container image "local/none:1" is not present with pull policy of Never',
          },
        },
      },
    ],
  },
  nosecret: {
    conditions: [
      {
        type: 'Ready',
        status: 'False',
      },
      {
        type: 'PodScheduled',
        status: 'True',
      },
    ],
    containerStatuses: [
      {
        restartCount: 0,
        state: {
          waiting: {
            reason: 'CreateContainerConfigError',
            message: 'secret "nope" not found',
          },
        },
      },
    ],
  },
  ok: {
    conditions: [
      {
        type: 'Ready',
        status: 'True',
      },
      {
        type: 'PodScheduled',
        status: 'True',
      },
    ],
    containerStatuses: [
      {
        restartCount: 0,
        state: {
          running: {
            startedAt: '2026-11-20T15:57:00Z',
          },
        },
      },
    ],
  },
  oom: {
    conditions: [
      {
        type: 'Ready',
        status: 'False',
      },
      {
        type: 'PodScheduled',
        status: 'True',
      },
    ],
    containerStatuses: [
      {
        restartCount: 5,
        state: {
          waiting: {
            reason: 'CrashLoopBackOff',
            message:
              'back-off 2m40s restarting failed container=main pod=oom-5676b7477d-5xdxd_default(791d8e9e-a03b-4756-a75d-80c7601ea70e)',
          },
        },
        lastState: {
          terminated: {
            exitCode: 137,
            reason: 'OOMKilled',
            finishedAt: '2026-11-20T16:00:04Z',
          },
        },
      },
    ],
  },
  probe: {
    conditions: [
      {
        type: 'Ready',
        status: 'False',
      },
      {
        type: 'PodScheduled',
        status: 'True',
      },
    ],
    containerStatuses: [
      {
        restartCount: 0,
        state: {
          running: {
            startedAt: '2026-11-20T15:57:00Z',
          },
        },
      },
    ],
  },
  pvc: {
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        message: '0/1 nodes are available: 1 pod has unbound immediate PersistentVolumeClaims.',
        lastTransitionTime: '2026-11-20T15:56:59Z',
      },
    ],
  },
  unsched: {
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        message: '0/1 nodes are available: 1 Insufficient cpu.',
        lastTransitionTime: '2026-11-20T15:56:58Z',
      },
    ],
  },
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
