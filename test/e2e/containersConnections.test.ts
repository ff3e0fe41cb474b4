import { expect } from 'chai';
import { containerConnectionSuite } from '../suites/containers/suite.ts';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { overHttp } from '../support/worlds/overHttp.ts';
import { ContainerClient, expectFail } from './containerSupport.ts';

describe('container connections over HTTP, as in memory', () => containerConnectionSuite(overHttp));

describe('a start over HTTP', () => {
  let platform: TestPlatform;
  let client: ContainerClient;

  before(async () => {
    platform = await startPlatform();
    client = new ContainerClient(platform);
    await platform.createRole('reader', ['user'], ['list_container_connections', 'list_containers']);
    await platform.createUser('reader', ['reader']);
    for (const connection_name of ['One', 'race']) {
      await client.save({ container_type: 'docker', connection_name, docker_url: '/run/none.sock' });
    }
  });
  after(() => platform?.dispose());

  it('asks which connection is meant, and which image', async () => {
    const several = await client.start({ image: 'golden-cpu', model: 'm' });
    expectFail(several, 400, 'validation_failed');
    expect(several.json.message).to.contain('One, race');
    expectFail(
      await client.start({ image: 'golden-cpu', model: 'm', cluster: 'kubernetes' }),
      400,
      'unknown_reference',
    );
    expectFail(
      await client.start({ image: 'golden-cpu', model: 'm', connection_name: 'nobody' }),
      400,
      'unknown_reference',
    );
    const image = await client.start({ image: 'alpine:latest', model: 'm' });
    expectFail(image, 400, 'validation_failed');
    expect(image.json.message).to.contain('known: agentic-ai, agentic-ai-debian,');
    expectFail(
      await platform.ml('reader', 'POST', '/start_container', { payload: { image: 'x', model: 'm' } }),
      403,
      'missing_capability',
    );
    expectFail(await client.stop('nobody'), 404, 'not_found');
    expectFail(await platform.ml('admin', 'DELETE', '/start_container/nobody'), 404, 'not_found');
    expect((await platform.ml('reader', 'GET', '/stop_container')).json.docker_images['golden-cpu']).to.deep.equal({
      label: 'Red Hat UBI Golden CPU (5.2.4)',
      image: 'splunk/mltk-container-golden-cpu:5.2.4',
    });
    const form = (await platform.ml('reader', 'GET', '/start_container')).json;
    expect(form).to.deep.include({
      clusters: ['docker', 'kubernetes'],
      runtimes: ['None', 'nvidia'],
      modes: ['DEV', 'PROD'],
    });
  });
});
