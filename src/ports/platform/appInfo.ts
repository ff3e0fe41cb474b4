export interface DriverStatus {
  pid: number;
  runtime: string;
  uptime_s: number;
  memory_bytes: number;
  requests: number;
}

export interface AppInfo {
  version: string;
  driver(): DriverStatus;
  openApi(): Promise<Record<string, unknown>>;
}
