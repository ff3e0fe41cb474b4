import type Docker from 'dockerode';
import { redact } from '../../domain/net/redact.ts';
import { parseTexts } from '../../domain/values/texts.ts';
import {
  type Facts,
  type Phase,
  PORT_NAMES,
  type PublishedPort,
  portInside,
  type WorkloadState,
} from '../../ports/engines/containerEngine.ts';
import { type Binding, bindingAt } from './bindings.ts';
import { LABEL } from './labels.ts';

interface JudgedState {
  phase: Phase;
  reason: string;
  message: string;
  since: number | undefined;
}

/**
 * State of a running container from a list entry, which is sufficient.
 * @param host at which its ports are called
 */
export function runningState(container: Docker.ContainerInfo, host = ''): WorkloadState {
  const name = (container.Names[0] ?? '').replace(/^\//, '');
  const bindings = container.Ports.map(({ PrivatePort, PublicPort, IP }) => ({
    inside: PrivatePort,
    outside: PublicPort,
    ip: IP ?? '',
  }));
  const message = container.State === 'paused' ? 'The container is paused' : '';
  const identified = identity(container.Id, name, container.Labels);
  return {
    ...identified,
    phase: 'running',
    reason: '',
    message,
    since: undefined,
    restarts: 0,
    published: publishedPorts(bindings, identified.facts, host),
  };
}

/** State of a container from `inspect`. @param host at which its ports are called */
export function containerState(info: Docker.ContainerInspectInfo, host = ''): WorkloadState {
  const bindings = Object.entries(info.NetworkSettings.Ports ?? {}).flatMap(([port, hosts]) =>
    // The library does not check types.
    (Array.isArray(hosts) ? hosts : []).map((binding: Partial<Docker.PortBinding> | null) => ({
      inside: Number.parseInt(port, 10),
      outside: Number(binding?.HostPort),
      ip: String(binding?.HostIp ?? ''),
    })),
  );
  const identified = identity(info.Id, info.Name.replace(/^\//, ''), info.Config.Labels);
  return {
    ...identified,
    ...judge(info.State),
    restarts: info.RestartCount ?? 0,
    published: publishedPorts(bindings, identified.facts, host),
  };
}

function identity(id: string, name: string, labels: Record<string, string>) {
  return {
    id,
    name,
    installation: labels[LABEL.installation] ?? '',
    connectionKey: labels[LABEL.connection] ?? '',
    model: labels[LABEL.model] ?? '',
    mark: labels[LABEL.mark] ?? '',
    facts: parseTexts(labels[LABEL.facts]),
  };
}

function judge(state: Docker.ContainerInspectInfo['State']): JudgedState {
  const finished = time(state.FinishedAt);
  const failed = (reason: string, message: string): JudgedState => ({
    phase: 'failed',
    reason,
    message,
    since: finished,
  });
  switch (state.Status) {
    case 'created':
      if (state.Error) return failed('start_failed', redact(state.Error));
      return { phase: 'pending', reason: 'creating', message: '', since: undefined };
    case 'exited':
    case 'dead':
      if (state.OOMKilled)
        return failed('oom_killed', 'The container ran out of memory and was killed (exit code 137)');
      if (state.Error) return failed('crashed', redact(state.Error));
      if (state.ExitCode !== 0) return failed('crashed', `The container ended with exit code ${state.ExitCode}`);
      return {
        phase: 'ended',
        reason: 'exited',
        message: 'The container ended on its own (exit code 0)',
        since: finished,
      };
    case 'restarting':
      return failed('crash_loop', `The container keeps crashing (exit code ${state.ExitCode})`);
    case 'removing':
      return {
        phase: 'ended',
        reason: 'removed_externally',
        message: 'The container is being removed',
        since: finished,
      };
    default: {
      const message = state.Paused ? 'The container is paused' : '';
      return { phase: 'running', reason: '', message, since: time(state.StartedAt) };
    }
  }
}

function publishedPorts(bindings: readonly Binding[], facts: Facts, host: string): WorkloadState['published'] {
  const published: Partial<Record<(typeof PORT_NAMES)[number], PublishedPort>> = {};
  for (const name of PORT_NAMES) {
    const port = bindingAt(
      bindings.filter(({ inside, outside }) => inside === portInside(name, facts) && outside),
      host,
    )?.outside;
    if (port !== undefined) published[name] = { port };
  }
  return published;
}

/** Docker reports a missing time as the year 1. */
function time(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms;
}
