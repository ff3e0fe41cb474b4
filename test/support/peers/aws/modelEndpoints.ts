import { type Peer, sendJson, startHttp } from '../listen.ts';

/** SageMaker, as far as a registration asks it: every endpoint is in service. */
export const startModelEndpoints = (): Promise<Peer> =>
  startHttp((request, response) => {
    request.resume();
    sendJson(response, 200, { EndpointName: 'ready', EndpointStatus: 'InService' });
  });
