import { expect } from 'chai';
import type Docker from 'dockerode';
import { reasonOf } from '../../src/adapters/docker/failures.ts';
import { LogReader } from '../../src/adapters/docker/logs.ts';
import { containerOptions } from '../../src/adapters/docker/options.ts';
import { PullMeter } from '../../src/adapters/docker/pull.ts';
import { containerState, runningState } from '../../src/adapters/docker/state.ts';
import { WORKLOAD } from '../support/containers/workload.ts';

describe('Docker adapter, pure parts', () => {
  it('asks the engine for exactly this', () => {
    expect(containerOptions(WORKLOAD)).to.deep.equal({
      name: 'ml-m-12345678',
      Image: 'splunk/mltk-container-golden-cpu:5.2.4',
      Env: ['MODE_DEV_PROD=DEV', 'api_token=secret'],
      Labels: {
        'ml_extension.managed_by': 'ml_extension',
        'ml_extension.installation': 'site',
        'ml_extension.connection': 'docker.local',
        'ml_extension.model': 'M',
        'ml_extension.start': 'mark',
        'ml_extension.settings': '{"mode":"DEV"}',
      },
      ExposedPorts: { '5000/tcp': {}, '6000/tcp': {} },
      HostConfig: {
        PortBindings: {
          '5000/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }],
          '6000/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }],
        },
        Mounts: [
          {
            Type: 'volume',
            Source: 'ml-data-local-1',
            Target: '/srv',
            VolumeOptions: {
              NoCopy: false,
              Labels: {
                'ml_extension.managed_by': 'ml_extension',
                'ml_extension.installation': 'site',
                'ml_extension.connection': 'docker.local',
              },
              DriverConfig: { Name: 'local', Options: {} },
            },
          },
        ],
        CpuPeriod: 100_000,
        CpuQuota: 150_000,
        CpuShares: 512,
        Memory: 4_294_967_296,
        MemorySwap: 4_294_967_296,
        MemoryReservation: 536_870_912,
        ShmSize: 1_073_741_824,
        PidsLimit: 4096,
        SecurityOpt: ['no-new-privileges'],
        CapDrop: ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'],
        NetworkMode: 'net',
        Runtime: 'nvidia',
        LogConfig: {
          Type: 'splunk',
          Config: {
            'splunk-url': 'https://log:8088',
            'splunk-token': 'log-token',
            'splunk-format': 'inline',
            tag: '{{.Name}}',
          },
        },
      },
    });
  });

  it('publish the port of the image and pass its arguments', () => {
    const workload = { ...WORKLOAD, facts: { api_port: '8080' }, arguments: ['--model', 'a b'] };
    const { Cmd, ExposedPorts } = containerOptions(workload);
    expect(Cmd).to.deep.equal(['--model', 'a b']);
    expect(Object.keys(ExposedPorts ?? {})).to.deep.equal(['8080/tcp', '6000/tcp']);
    expect(containerOptions(WORKLOAD)).not.to.have.property('Cmd');
    const labels = { 'ml_extension.settings': JSON.stringify(workload.facts) };
    const listed = { Id: 'i', Names: ['/n'], State: 'running', Labels: labels };
    const ports = [
      { PrivatePort: 5000, PublicPort: 1 },
      { PrivatePort: 8080, PublicPort: 2 },
    ];
    expect(runningState({ ...listed, Ports: ports } as never).published).to.deep.equal({ api: { port: 2 } });
  });

  it('keeps secrets out of labels', () => {
    const { Labels } = containerOptions(WORKLOAD);
    expect(JSON.stringify(Labels)).to.not.contain('secret').and.not.contain('log-token');
  });

  it('takes the binding that answers at the called address', () => {
    const cases: [host: string, bindings: Record<string, number>, port: number][] = [
      ['127.0.0.1', { '::': 1, '0.0.0.0': 2 }, 2],
      ['127.0.0.1', { '0.0.0.0': 2, '::': 1 }, 2],
      ['127.0.0.1', { '0.0.0.0': 2, '127.0.0.1': 3 }, 3],
      ['10.0.0.5', { '127.0.0.1': 1, '::': 2, '10.0.0.5': 3 }, 3],
      ['10.0.0.5', { '127.0.0.1': 1, '::': 2, '0.0.0.0': 3 }, 3],
      ['10.0.0.5', { '192.168.0.1': 1, '::': 2 }, 2],
      ['::1', { '0.0.0.0': 1, '::': 2 }, 2],
      ['[::1]', { '0.0.0.0': 1, '::': 2, '0:0:0:0:0:0:0:1': 3 }, 3],
      ['fd00::5', { '0.0.0.0': 1, 'fd00:0::5': 2 }, 2],
      ['localhost', { '::': 1, '0.0.0.0': 2 }, 2],
      ['localhost', { '0.0.0.0': 2, '127.0.0.1': 3 }, 3],
      ['engine.example', { '::': 1, '0.0.0.0': 2 }, 2],
      ['engine.example', { '127.0.0.1': 1, '::': 2 }, 2],
      ['127.0.0.1', { '::': 1, '': 2 }, 2],
      ['127.0.0.1', { '::': 1 }, 1],
      ['', { '::': 1, '0.0.0.0': 2 }, 2],
    ];
    for (const [host, bindings, port] of cases) {
      const entries = Object.entries(bindings);
      const what = `${host} ${JSON.stringify(bindings)}`;
      const ports = entries.map(([IP, PublicPort]) => ({ IP, PrivatePort: 5000, PublicPort, Type: 'tcp' }));
      const listed = { Id: 'id', Names: ['/m'], State: 'running', Labels: {}, Ports: ports };
      expect(runningState(listed as never, host).published, what).to.deep.equal({ api: { port } });
      const hosts = entries.map(([HostIp, HostPort]) => ({ HostIp, HostPort: String(HostPort) }));
      const inspected = info({}, { NetworkSettings: { Ports: { '5000/tcp': hosts } } });
      expect(containerState(inspected, host).published, what).to.deep.equal({ api: { port } });
    }
    for (const hosts of [null, {}, [null], [{}], 'x'])
      expect(containerState(info({}, { NetworkSettings: { Ports: { '5000/tcp': hosts } } })).published).to.deep.equal(
        {},
      );
  });

  const frame = (stream: number, text: string | Buffer): Buffer => {
    const body = Buffer.from(text);
    const head = Buffer.alloc(8);
    head[0] = stream;
    head.writeUInt32BE(body.length, 4);
    return Buffer.concat([head, body]);
  };

  it('reads framed logs however they are cut, and joins long lines', () => {
    const stamp = '2026-11-20T15:41:20.313361386Z';
    const stream = Buffer.concat([
      frame(1, `${stamp} first\n`),
      frame(2, `${stamp} ${'x'.repeat(20)}`),
      frame(1, `${stamp} between\r\n`),
      frame(2, `${stamp} tail ü\n`),
      frame(1, `${stamp} \n`),
    ]);
    const expected = ['first', `${'x'.repeat(20)}tail ü`, 'between', ''].map((line) => ({ time: stamp, line }));
    for (const size of [1, 7, 13, stream.length]) {
      const reader = new LogReader(1_000_000);
      for (let at = 0; at < stream.length; at += size) reader.push(stream.subarray(at, at + size));
      expect(reader.lines(), `pieces of ${size}`).to.deep.equal(expected);
    }
  });

  it('joins the bytes of a stream before it decodes them', () => {
    const stamp = '2026-01-01T00:00:01.000000000Z ';
    const read = (...frames: Buffer[]) => {
      const reader = new LogReader(1_000_000);
      for (const one of frames) reader.push(one);
      return reader.lines().map(({ line }) => line);
    };
    const part = (stream: number, ...bytes: number[]) =>
      frame(stream, Buffer.concat([Buffer.from(stamp), Buffer.from(bytes)]));
    const [a, b, c, d] = [...Buffer.from('🚀')] as [number, number, number, number];
    expect(read(part(1, a, b), part(1, c, d, 10))).to.deep.equal(['🚀']);
    expect(read(part(1, a), part(1, b, c), part(1, d, 10))).to.deep.equal(['🚀']);
    expect(read(part(1, a, b), part(2, c), part(1, c, d, 10), part(2, 10))).to.deep.equal(['🚀', '\ufffd']);
    const bytes = Buffer.from(`${'🚀é'.repeat(5000)}\n`);
    const size = 16_383;
    const cuts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      part(1, ...bytes.subarray(index * size, (index + 1) * size)),
    );
    expect(read(...cuts)).to.deep.equal(['🚀é'.repeat(5000)]);
    // The driver `local` of Docker 20.10 leaves out the end of a long line; the next line has another stamp.
    const at = (second: number, text: string) => frame(1, `2026-01-01T00:00:0${second}.000000000Z ${text}`);
    const long = 'b'.repeat(16_384);
    expect(read(at(1, long), at(1, 'c'), at(2, `${long}`), at(2, 'd'), at(3, 'e\r\n'))).to.deep.equal([
      `${long}c`,
      `${long}d`,
      'e',
    ]);
    // Older engines give each frame its own stamp.
    expect(read(at(1, long), at(2, 'c\n'), at(3, 'd\n'))).to.deep.equal([`${long}c`, 'd']);
    const [head, tail] = [frame(1, Buffer.concat([Buffer.from(stamp), Buffer.from([a, b])])), part(1, c, d, 10)];
    tail.set(Buffer.from('9'), tail.indexOf('T') + 8);
    expect(read(head, tail)).to.deep.equal(['🚀']);
    // The log may end within a line.
    expect(read(part(1, 120, a, b))).to.deep.equal(['x\ufffd']);
  });

  it('drops the oldest lines beyond its limit', () => {
    const reader = new LogReader(1000);
    for (let n = 0; n < 30_000; n++) reader.push(frame(1, `2026-11-20T15:41:20Z line ${n}\n`));
    const lines = reader.lines();
    expect(lines.length).to.be.within(50, 100);
    expect(lines.at(-1)?.line).to.equal('line 29999');
  });

  const info = (State: object, more: object = {}) =>
    ({
      Id: 'id',
      Name: '/ml-m',
      RestartCount: 0,
      Config: { Labels: { 'ml_extension.model': 'M', 'ml_extension.settings': 'no json' } },
      NetworkSettings: { Ports: { '5000/tcp': [{ HostIp: '', HostPort: '32768' }], '8888/tcp': null } },
      State: {
        Status: 'exited',
        ExitCode: 0,
        OOMKilled: false,
        Error: '',
        FinishedAt: '0001-01-01T00:00:00Z',
        ...State,
      },
      ...more,
    }) as unknown as Docker.ContainerInspectInfo;

  it('judges a container by what the engine says of it', () => {
    const phases = [
      [{ Status: 'running', StartedAt: '2026-11-20T15:41:20Z' }, 'running', ''],
      [{ Status: 'created' }, 'pending', 'creating'],
      [{ Status: 'created', Error: 'no' }, 'failed', 'start_failed'],
      [{ ExitCode: 3 }, 'failed', 'crashed'],
      [{ ExitCode: 137, OOMKilled: true }, 'failed', 'oom_killed'],
      [{ ExitCode: 0 }, 'ended', 'exited'],
      [{ Status: 'restarting', ExitCode: 1 }, 'failed', 'crash_loop'],
      [{ Status: 'removing' }, 'ended', 'removed_externally'],
      [{ Status: 'dead', ExitCode: 1 }, 'failed', 'crashed'],
    ] as const;
    for (const [state, phase, reason] of phases) {
      expect(containerState(info(state)), JSON.stringify(state)).to.include({ phase, reason });
    }
    expect(containerState(info({})).published).to.deep.equal({ api: { port: 32_768 } });
    expect(containerState(info({})).facts).to.deep.equal({});
  });

  it('knows the words of the engine', () => {
    const reasons = {
      'driver failed programming external connectivity on endpoint x: port is already allocated': 'port_conflict',
      'Unknown runtime specified nvidia': 'runtime_unavailable',
      'could not select device driver "nvidia" with capabilities: [[gpu]]': 'runtime_unavailable',
      'network there-is-none not found': 'network_missing',
      'failed to initialize logging driver: dial tcp 127.0.0.1:1: connect: connection refused': 'log_driver_failed',
      'No such image: a:1': 'image_not_found',
      'manifest for a:1 not found: manifest unknown': 'image_not_found',
      'pull access denied for a, repository does not exist': 'image_not_found',
      'invalid reference format': 'image_name_invalid',
      'Conflict. The container name "/a" is already in use by container "b"': 'name_conflict',
      'something new': 'engine_error',
    };
    for (const [text, reason] of Object.entries(reasons)) expect(reasonOf(text), text).to.equal(reason);
  });

  it('adds up a pull', () => {
    const meter = new PullMeter();
    const lines = [
      { status: 'Pulling from x', id: '1' },
      { status: 'Already exists', id: 'a' },
      { status: 'Pulling fs layer', id: 'b' },
      { status: 'Downloading', id: 'b', progressDetail: { current: 10, total: 100 } },
      { status: 'Waiting', id: 'c' },
    ];
    for (const line of lines) meter.add(line);
    expect(meter.progress()).to.deep.equal({ layers: 3, layersDone: 1, bytes: 10, bytesTotal: 100 });
    meter.add({ status: 'Download complete', id: 'b' });
    meter.add({ status: 'Extracting', id: 'b', progressDetail: { current: 5, total: 100 } });
    expect(meter.progress().bytes).to.equal(100);
    meter.add({ status: 'Pull complete', id: 'b' });
    expect(meter.progress().layersDone).to.equal(2);
  });
});
