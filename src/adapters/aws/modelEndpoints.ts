import { OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from '../../domain/net/redact.ts';
import type { CloudEndpoints } from '../../ports/cloud/cloudEndpoints.ts';
import { isMissingEndpoint } from './errors.ts';
import { endpointVisit } from './invocations.ts';
import { type AwsOptions, AwsSession } from './session.ts';

export function awsModelEndpoints(options: AwsOptions): CloudEndpoints {
  return {
    async describe(access, EndpointName, deadline) {
      using session = new AwsSession(options, access, deadline);
      try {
        const answer = await session.send('sagemaker', async (client, sending) => {
          const { DescribeEndpointCommand } = await import('@aws-sdk/client-sagemaker');
          return client.send(new DescribeEndpointCommand({ EndpointName }), sending);
        });
        const { EndpointStatus, FailureReason } = answer;
        if (EndpointStatus === undefined) throw new OutboundError('upstream_error', 'Amazon SageMaker gave no status');
        return {
          status: EndpointStatus,
          ...(FailureReason ? { failureReason: redact(FailureReason, session.secrets) } : {}),
        };
      } catch (error) {
        if (isMissingEndpoint(error)) return undefined;
        throw error;
      }
    },
    visit: async (access, deadline) => endpointVisit(new AwsSession(options, access, deadline)),
  };
}
