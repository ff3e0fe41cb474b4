import { expect } from 'chai';
import { KEY } from '../../support/records/llmBlob.ts';
import { type LlmKit, textOf } from './kit.ts';

export function inputTests(kit: LlmKit): void {
  const { fresh, save } = kit;

  it('fills in default endpoints and trims pasted ones to their base', async () => {
    const cases: [string, string | undefined, string][] = [
      ['General_Chat', undefined, 'https://api.openai.com/v1'],
      ['General_Chat', 'https://api.openai.com', 'https://api.openai.com/v1'],
      ['General_Chat', 'https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1'],
      ['General_Chat', 'https://gw.example/llm/v1/models?key=leak#x', 'https://gw.example/llm/v1'],
      ['Fast_Inference', undefined, 'https://api.groq.com/openai/v1'],
      ['Fast_Inference', ' https://API.groq.com/openai/v1/chat/completions/ ', 'https://api.groq.com/openai/v1'],
      ['Assistant_Family', 'https://api.anthropic.com/v1/messages', 'https://api.anthropic.com'],
      ['Search_Vendor_Models', 'https://g.example/v1beta/models/x:generateContent?key=AIza', 'https://g.example'],
      ['Local_Runtime', undefined, 'http://localhost:11434'],
      ['Local_Runtime', 'http://ollama.example:11434/api/chat', 'http://ollama.example:11434'],
      [
        'Enterprise_Cloud_Chat',
        'https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21',
        'https://r.openai.azure.com',
      ],
    ];
    for (const [service, endpoint, base] of cases) {
      const blob = fresh({ service, servicesettings: endpoint === undefined ? {} : { endpoint: { value: endpoint } } });
      const reply = await save(blob);
      expect(reply.json.updated_config?.servicesettings.endpoint.value, textOf(reply)).to.equal(base);
    }
  });

  it('refuses what is malformed, naming every field', async () => {
    const settings = (servicesettings: object, service = 'General_Chat') => fresh({ service, servicesettings });
    const cases: [object | string, string[]][] = [
      [{}, ['service', 'connection_name', 'model']],
      [fresh({ service: 'Other' }), ['service']],
      [fresh({ connection_name: '' }), ['connection_name']],
      [fresh({ connection_name: 'a/b' }), ['connection_name']],
      [fresh({ connection_name: '..' }), ['connection_name']],
      [fresh({ connection_name: 'x'.repeat(257) }), ['connection_name']],
      [fresh({ model: 'a%2Fb' }), ['model']],
      [fresh({ model: 'a\u0000b' }), ['model']],
      [fresh({ model: '/a' }), ['model']],
      [fresh({ model: 'a//b' }), ['model']],
      [fresh({ model: 'a/../b' }), ['model']],
      [fresh({ model: 7 }), ['model']],
      [fresh({ servicesettings: 'x' }), ['servicesettings']],
      [fresh({ is_saved: 'yes' }), ['is_saved']],
      [settings({ endpoint: { value: 'ftp://x' } }), ['servicesettings.endpoint.value']],
      [settings({ endpoint: { value: 'https://u:p@x.example' } }), ['servicesettings.endpoint.value']],
      [settings({ endpoint: { value: 'https://a.example\\@b.example' } }), ['servicesettings.endpoint.value']],
      [settings({ endpoint: 'https://x.example' }), ['servicesettings.endpoint']],
      [settings({ request_timeout: { value: 0 } }), ['servicesettings.request_timeout.value']],
      [settings({ request_timeout: { value: 601 } }), ['servicesettings.request_timeout.value']],
      [settings({ request_timeout: { value: 1.5 } }), ['servicesettings.request_timeout.value']],
      [settings({ request_timeout: { value: '30' } }), ['servicesettings.request_timeout.value']],
      [settings({ enterprise_api_version: { value: '2024-13-01' } }), ['servicesettings.enterprise_api_version.value']],
      [settings({ ca_certificate: { value: 'no pem' } }), ['servicesettings.ca_certificate.value']],
      [settings({ region: { value: 'us-east-1.evil.example' } }), ['servicesettings.region.value']],
      [settings({ access_token: { value: 'x'.repeat(8193) } }), ['servicesettings.access_token.value']],
      [
        fresh({ modelsettings: { response_variability: { value: 1.01 } } }),
        ['modelsettings.response_variability.value'],
      ],
      [fresh({ modelsettings: { max_tokens: { value: 0 } } }), ['modelsettings.max_tokens.value']],
      [
        fresh({
          service: 'Cloud_Model_Hub',
          model: '',
          modelsettings: { max_tokens: { value: 'x' } },
          servicesettings: { request_timeout: { value: 0 }, endpoint: { value: 'ftp://x' }, role_arn: { value: 'r' } },
        }),
        [
          'model',
          'modelsettings.max_tokens.value',
          'servicesettings.request_timeout.value',
          'servicesettings.endpoint.value',
          'servicesettings.role_arn.value',
          'servicesettings.region.value',
        ],
      ],
      [
        settings({ enterprise_api_version: { value: 'v2' }, access_token: { value: 'a\nb' } }, 'Enterprise_Cloud_Chat'),
        [
          'servicesettings.endpoint.value',
          'servicesettings.enterprise_api_version.value',
          'servicesettings.access_token.value',
        ],
      ],
      [settings({}, 'Enterprise_Cloud_Chat'), ['servicesettings.endpoint.value']],
      [settings({}, 'Cloud_Model_Hub'), ['servicesettings.region.value']],
      [
        settings({ region: { value: 'us-east-1' }, cloud_access_key_id: { value: 'AKIA' } }, 'Cloud_Model_Hub'),
        ['servicesettings.cloud_access_token.value'],
      ],
      [
        settings({ region: { value: 'us-east-1' }, cloud_access_token: { value: 'x' } }, 'Cloud_Model_Hub'),
        ['servicesettings.cloud_access_key_id.value'],
      ],
      [
        `{"service":"General_Chat","connection_name":"a","model":"b","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
        ['$body'],
      ],
      [fresh({ tokens: Array.from({ length: 101 }, (_, i) => `t${i}`) }), ['$body']],
    ];
    for (const [body, fields] of cases) {
      const reply = await save(body);
      const label = JSON.stringify(body).slice(0, 200);
      expect(reply.json.error_code, `${label}: ${textOf(reply)}`).to.equal('validation_failed');
      expect(
        reply.json.errors.map(({ field }: { field: string }) => field),
        label,
      ).to.have.members(fields);
      expect(textOf(reply)).to.not.contain(KEY);
    }
  });
}
