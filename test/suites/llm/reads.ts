import { expect } from 'chai';
import { PROVIDER_NAMES } from '../../../src/contract/families/llmProviders.ts';
import { pageOf } from '../../support/replies.ts';
import { type LlmKit, METADATA, ROOT } from './kit.ts';

export function readTests(kit: LlmKit): void {
  const { world, fresh, save, pathOf, list } = kit;

  it('lists with filters, search, sort and pages', async () => {
    const own = ['zeta', 'Alpha', 'mid'].map((connection_name) =>
      fresh({ service: 'Local_Runtime', connection_name: `list ${connection_name}`, servicesettings: {} }),
    );
    for (const blob of own) {
      await world.later();
      await save(blob);
    }
    const connections = ({ result }: { result: { connection_name: string }[] }) =>
      result.map((one) => one.connection_name);
    const sorted = await list('service=Local_Runtime&sort_key=connection_name&search=LIST');
    expect(connections(sorted)).to.deep.equal(['list Alpha', 'list mid', 'list zeta']);
    const page = await list('service=Local_Runtime&sort_key=created_at&sort_dir=desc&count=1&offset=1&search=list%20');
    expect(connections(page)).to.deep.equal(['list Alpha']);
    expect(page.pagination).to.deep.equal(pageOf(3, 1, 1));
    expect(sorted.result[0]).to.include.keys(
      'service',
      'model',
      'servicesettings',
      'modelsettings',
      'is_saved',
      'version',
    );
    for (const bad of ['sort_key=endpoint', 'count=-1', 'service=Nope', 'connection_name=%25']) {
      expect((await list(bad)).error_code, bad).to.equal('validation_failed');
    }
    expect((await world.call('reader', 'GET', `${ROOT}?search=canary`)).json.result).to.deep.equal([]);
  });

  it('tells a form everything it needs, without a network', async () => {
    const { config } = (await world.call('reader', 'GET', METADATA)).json;
    expect(Object.keys(config.services)).to.deep.equal([...PROVIDER_NAMES]);
    for (const service of Object.values<Record<string, Record<string, object>>>(config.services)) {
      expect(service).to.have.all.keys(
        'display_name',
        'default_endpoint',
        'fields',
        'model_fields',
        'models',
        'supports',
      );
      for (const field of Object.values({ ...service.fields, ...service.model_fields })) {
        expect(field).to.include.all.keys('label', 'type', 'required', 'secret', 'default', 'description');
      }
    }
    expect(config.services.General_Chat.fields.access_token).to.include({
      required: true,
      required_at: 'https://api.openai.com/v1',
      secret: true,
    });
    expect(config.services.Assistant_Family.fields.access_token).to.not.have.property('required_at');
    expect(config.services.Enterprise_Cloud_Chat.fields.enterprise_api_version.required).to.equal(true);
    expect(config.services.Local_Runtime.fields.access_token.required).to.equal(false);
    expect(config.limits.request_timeout).to.deep.include({ minimum: 1, maximum: 600 });
  });

  it('asks both capabilities for writes and either for reads', async () => {
    const blob = fresh();
    await save(blob);
    const calls: [string, string, object | undefined, boolean][] = [
      ['GET', ROOT, undefined, true],
      ['GET', pathOf(blob), undefined, true],
      ['GET', METADATA, undefined, true],
      ['POST', ROOT, blob, false],
      ['POST', METADATA, blob, false],
      ['DELETE', pathOf(blob), undefined, false],
    ];
    for (const [method, path, body, isRead] of calls) {
      for (const user of ['reader', 'only_edit_user', 'nobody_special']) {
        const reply = await world.call(user, method, path, body);
        const isOpen = isRead && user !== 'nobody_special';
        expect(reply.status, `${user} ${method} ${path}`).to.equal(isOpen ? 200 : 403);
        if (!isOpen) {
          const both = ['edit_ai_commander_config', 'list_ai_commander_config'];
          expect(reply.json.required).to.have.members(both);
        }
      }
    }
  });
}
