import { isOn } from '../../../../contract/settings/flags.ts';
import type { Secrets } from '../../../../domain/secrets/secrets.ts';
import type { Fields } from '../../engines/fields.ts';
import type { StartSpec } from '../../engines/startFields.ts';
import { isHttps } from '../urls.ts';

export interface Environment {
  open: Record<string, string>;
  secret: Record<string, string>;
}

/** The application compares exact literals: `ENABLE_HTTPS` is true or false, access and ingest are "1". */
export function environment(
  fields: Fields,
  secrets: Secrets,
  { mode, https }: Pick<StartSpec, 'mode' | 'https'>,
): Environment {
  const open: Record<string, string | undefined> = {
    MODE_DEV_PROD: mode,
    ENABLE_HTTPS: String(isHttps(https, fields)),
  };
  const secret: Record<string, string | undefined> = {
    api_token: secrets.api_token,
    JUPYTER_PASSWD: secrets.jupyter_passwd,
  };
  if (isOn(fields.obs_enabled)) {
    open.olly_enabled = 'true';
    open.OTEL_SERVICE_NAME = fields.obs_otel_service_name;
    open.OTEL_EXPORTER_OTLP_ENDPOINT = fields.obs_otel_endpoint;
    // Read by older images without the OTLP exporter.
    open.OTEL_EXPORTER_JAEGER_ENDPOINT = fields.obs_otel_endpoint;
    secret.SPLUNK_ACCESS_TOKEN = secrets.obs_access_token;
  }
  if (isOn(fields.platform_access_enabled)) {
    open.splunk_access_enabled = '1';
    open.splunk_access_host = fields.platform_access_host;
    open.splunk_access_port = fields.platform_access_port;
    secret.splunk_access_token = secrets.platform_access_token;
  }
  if (isOn(fields.platform_ingest_enabled)) {
    open.splunk_hec_enabled = '1';
    open.splunk_hec_url = fields.platform_ingest_url;
    secret.splunk_hec_token = secrets.platform_ingest_token;
  }
  return { open: defined(open), secret: defined(secret) };
}

function defined(values: Record<string, string | undefined>): Record<string, string> {
  const set = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}
