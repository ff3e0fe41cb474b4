import { expect } from 'chai';
import { llmDependencies } from '../../src/app/dependencies/llm.ts';
import { FakeLlm } from '../support/memory/llm.ts';

const NONE = { read: async () => undefined };
const at = (endpoint_url: string) => async () => ({ 'cloud_services:PLATFORM_HOSTED_MODELS': { endpoint_url } });
const endpoint = (recent: string, current: string) => {
  const settings = {
    recent: at(recent),
    read: at(current),
    proxy: NONE,
    admission: { enter: async () => {}, leave() {} },
  };
  return llmDependencies(settings, NONE, new FakeLlm().tenant).hostedEndpoint();
};

describe('the address of hosted models', () => {
  it('is a few seconds old at most, and looked for anew where it is missing', async () => {
    expect(await endpoint('https://a.example/', 'https://b.example')).to.equal('https://a.example');
    expect(await endpoint('', 'https://b.example')).to.equal('https://b.example');
    expect(await endpoint('', ' ')).to.equal(undefined);
  });
});
