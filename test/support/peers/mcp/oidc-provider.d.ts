declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface StoredToken {
    jti: string;
    save(): Promise<string>;
  }
  interface Model<T> {
    new (properties: Record<string, unknown>): T;
    find(value: string): Promise<(T & { isExpired: boolean; isValid: boolean }) | undefined>;
  }
  interface Grant extends StoredToken {
    addOIDCScope(scope: string): void;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
    on(event: string, listener: (...args: unknown[]) => void): this;
    Client: { find(id: string): Promise<Record<string, unknown> | undefined> };
    Grant: Model<Grant>;
    RefreshToken: Model<StoredToken>;
    AccessToken: Model<StoredToken>;
  }
}
