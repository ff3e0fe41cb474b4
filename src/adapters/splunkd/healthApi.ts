import type { HealthApi } from '../../ports/healthApi.ts';
import { ownEndpoints } from './ownEndpoints.ts';

const HEALTH = 'ml/connection_health';

export function splunkdHealth(serverUri: string, sessionKey: string): HealthApi {
  const call = ownEndpoints(serverUri, sessionKey);
  return {
    list: (family, offset) =>
      call({
        method: 'GET',
        endpoint: HEALTH,
        query: { count: '0', offset: String(offset), ...(family ? { family } : {}) },
      }),
    check: (family, max_age_s) =>
      call({ method: 'POST', endpoint: `${HEALTH}/check`, json: { max_age_s, ...(family ? { family } : {}) } }),
  };
}
