import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { containerHandlers } from '../../../src/families/containers/handlers.ts';
import { containerHealth } from '../../../src/families/containers/health.ts';
import { EngineFailure, type LoginServer } from '../../../src/ports/engines/containerEngine.ts';
import { kube } from '../../suites/containers/kit.ts';
import { MemoryEngine } from '../../support/containers/memoryEngine.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';
import { MemoryContainers } from '../../support/memory/containers.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

const SECRETS = contract.plans;

describe('the login server of a cluster', () => {
  let platform: MemoryPlatform;
  /** The host that the cluster names, and the hosts that got the password. */
  let named: string;
  let sentTo: string[];
  const containers = new MemoryContainers();
  containers.open = async (target) => {
    const engine = new MemoryEngine();
    engine.verify = async () => {
      if (!('identity' in target) || target.identity.mode !== 'login') throw new Error('no login');
      await logIn(target.identity.server);
      return { problems: [], warnings: [] };
    };
    return engine;
  };
  const logIn = async (server: LoginServer): Promise<void> => {
    const isKnown = server.host === undefined ? await server.keep(named) : server.host === named;
    if (!isKnown) throw new EngineFailure('secret_required_for_new_host', `other than ${server.host}`);
    sentTo.push(named);
  };

  beforeEach(() => {
    platform = new MemoryPlatform();
    named = 'login.example:6443';
    sentTo = [];
  });

  const context = () => ({ caller: caller('admin'), condition: undefined, warnings: [], params: {}, file: undefined });
  const site = () => containerHandlers(platform.process(), containers, SECRETS);
  const call = <Name extends keyof ReturnType<typeof site>>(name: Name, parts: object) =>
    site()[name]({ ...context(), query: {}, body: {}, ...parts } as never) as ReturnType<ReturnType<typeof site>[Name]>;
  const login = (more: object = {}) => {
    const { user_token: _, ...body } = kube({ connection_name: 'one', auth_mode: 'user-login', user_name: 'u' });
    return { body: { ...body, ...more } };
  };
  const PASSWORD = { user_password: 'canary-password' };
  const EDIT = { is_edit: 'true' };
  const read = async () => {
    const params = { container_type: 'kubernetes', connection_name: 'one' };
    return (await call('getContainerConnection', { params })).config as Record<string, unknown>;
  };

  it('is saved by the first verification and is in the reply', async () => {
    const { updated_config } = await call('testContainerConnection', login(PASSWORD));
    expect(updated_config).to.include({ login_host: named, version: 1 });
    expect(await read()).to.include({ login_host: named, version: 1 });
    await call('testContainerConnection', login({ ...EDIT, user_password: '***MASKED***' }));
    expect(await read()).to.include({ login_host: named, version: 2 });
  });

  it('receives no password after it has changed, until the password is sent again', async () => {
    await call('testContainerConnection', login(PASSWORD));
    named = 'evil.example';
    for (const more of [{}, { user_password: '***MASKED***' }, { login_host: named }]) {
      const fault = await faultOf(call('testContainerConnection', login({ ...EDIT, ...more })));
      expect(fault).to.deep.include({ code: 'verification_failed' });
      expect(fault.extra).to.include({ cause: 'secret_required_for_new_host' });
    }
    expect(sentTo).to.deep.equal(['login.example:6443']);
    expect(await read()).to.include({ login_host: 'login.example:6443', version: 1 });
    await call('testContainerConnection', login({ ...EDIT, ...PASSWORD }));
    expect(await read()).to.include({ login_host: 'evil.example', version: 2 });
  });

  it('is saved by the first use of an unverified connection', async () => {
    await call('saveContainerConnection', login(PASSWORD));
    expect(await read()).to.not.have.property('login_host');
    const health = containerHealth(platform.process(), containers, SECRETS);
    using deadline = startDeadline(5000);
    const [{ key } = { key: '' }] = await health.conditions(caller('admin'));
    const check = () => health.test(caller('admin'), key, deadline);
    expect(await check()).to.equal(undefined);
    expect(await read()).to.include({ login_host: named, version: 1 });
    named = 'evil.example';
    expect(await check()).to.include({ code: 'secret_required_for_new_host' });
    expect((await read()).last_test).to.include({ error_code: 'secret_required_for_new_host' });
    expect(sentTo).to.deep.equal(['login.example:6443']);
  });

  it('is not saved when the password has changed meanwhile', async () => {
    await call('saveContainerConnection', login(PASSWORD));
    containers.open = async (target) => {
      if (!('identity' in target) || target.identity.mode !== 'login') throw new Error('no login');
      await call('saveContainerConnection', login({ ...EDIT, user_password: 'another' }));
      await logIn(target.identity.server);
      return new MemoryEngine();
    };
    const health = containerHealth(platform.process(), containers, SECRETS);
    using deadline = startDeadline(5000);
    const [{ key } = { key: '' }] = await health.conditions(caller('admin'));
    expect(await health.test(caller('admin'), key, deadline)).to.include({ code: 'secret_required_for_new_host' });
    expect(sentTo).to.deep.equal([]);
    expect(await read()).to.not.have.property('login_host');
  });

  it('is called over https only', async () => {
    const plain = login({ ...PASSWORD, cluster_url: 'http://cluster:6443' });
    expect(fieldsOf(await faultOf(call('saveContainerConnection', plain)))).to.deep.equal(['cluster_url']);
  });
});
