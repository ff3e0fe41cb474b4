import type { Context } from 'mocha';
import { AwsGateway, REGION } from '../peers/aws/awsGateway.ts';
import { needsInstalled } from '../programs/part.ts';
import { preparePython } from '../programs/python.ts';
import { startPlatform, type TestPlatform } from './platform.ts';

export interface CloudSite {
  gateway: AwsGateway;
  platform: TestPlatform;
  /** A knowledge base and an endpoint (`ready`) that are there. */
  knowledgeBase: string;
  stop(): Promise<void>;
}

/** A machine whose AWS is the gateway, and which has no credentials but those that `more` gives. */
export function cloudEnv(gateway: { url: string }, more: Record<string, string> = {}): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: gateway.url,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
    AWS_CONFIG_FILE: '/nonexistent',
    ...more,
  };
}

/** The product with AWS beside it. The machine has no AWS credentials of its own. */
export async function startCloudSite(test: Context): Promise<CloudSite> {
  await needsInstalled(test, 'moto and botocore', () => preparePython('aws'));
  const gateway = await AwsGateway.start();
  const knowledgeBase = await gateway.moto.createKnowledgeBase('kb', REGION);
  await gateway.moto.createEndpoint('ready', REGION);
  const platform = await startPlatform({ env: { ...cloudEnv(gateway), ML_DRIVERS: '4' } });
  await platform.createRole('readers', ['user']);
  await platform.createRole('editors', ['user'], ['edit_agent_connections', 'register_ml_models']);
  await platform.createUser('anna', ['ml_admin']);
  await platform.createUser('bert', ['editors']);
  await platform.createUser('carl', ['readers']);
  const stop = async () => {
    await platform.dispose();
    await gateway.stop();
  };
  return { gateway, platform, knowledgeBase, stop };
}
