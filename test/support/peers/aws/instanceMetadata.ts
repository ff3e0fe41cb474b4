import { type Peer, startHttp } from '../listen.ts';

export interface RoleCredentials {
  keyId: string;
  secret: string;
  token: string;
}

/** The metadata service of an EC2 instance: IMDSv2 with one role. */
export async function startInstanceMetadata({ keyId, secret, token }: RoleCredentials): Promise<Peer> {
  const role = '/latest/meta-data/iam/security-credentials/';
  return startHttp((request, response) => {
    if (request.method === 'PUT' && request.url === '/latest/api/token') {
      response.writeHead(200, { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' }).end('session');
    } else if (request.headers['x-aws-ec2-metadata-token'] !== 'session') {
      response.writeHead(401).end();
    } else if (request.url === role) {
      response.writeHead(200).end('instance-role');
    } else if (request.url === `${role}instance-role`) {
      const Expiration = new Date(Date.now() + 3_600_000).toISOString();
      const answer = {
        Code: 'Success',
        Type: 'AWS-HMAC',
        AccessKeyId: keyId,
        SecretAccessKey: secret,
        Token: token,
        Expiration,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } else {
      response.writeHead(404).end();
    }
  });
}
